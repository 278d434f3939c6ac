import { type ChildProcess, spawn } from 'node:child_process'
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { endTree, startable } from '../platform/program.ts'
import { guardGroup } from './child-guard.ts'
import { endsWithin } from './ends-within.ts'
import type { ServerConfig } from './server-config.ts'

/** How long a server may take to end once its input has ended, and again once it was asked. */
const GRACE_MS = 1_000
const KEPT_OF_ERRORS = 2_000
const LAST_WORDS_MS = 500
/** A tool may give back a whole file or picture; what is longer, or never ends, is no message. */
const LONGEST_MESSAGE = 64 * 1024 * 1024
const NEWLINE = 10

/**
 * A server's process, spoken to over its standard input and output. It is the leader of a process
 * group: Ctrl-C is ours alone to hear, and what the server itself starts (as `npx` does) ends with it.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The end of what it wrote to its standard error. */
  complaints = ''
  readonly #config: ServerConfig
  // It is given whole lines: to add to one piece by piece would copy it each time.
  readonly #buffer = new ReadBuffer({ maxBufferSize: 2 * LONGEST_MESSAGE })
  #unended: Buffer[] = []
  #unendedBytes = 0
  #child: ChildProcess | undefined
  #ended: Promise<void> | undefined

  constructor(config: ServerConfig) {
    this.#config = config
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    const { command = '', args, env, cwd } = this.#config
    const { file, args: words, ...how } = startable(command, args ?? [])
    const child = spawn(file, words, {
      ...how,
      env: { ...getDefaultEnvironment(), ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      // On Windows a process of its own group would open a window.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaints = (this.complaints + text).slice(-KEPT_OF_ERRORS)
    })
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error))
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject).once('spawn', resolve)
    })
    const guarded = guardGroup(child.pid!)
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => {
        // Windows knows no group, and may have given the number to somebody else by now.
        if (process.platform !== 'win32') this.#endGroup('SIGKILL')
        guarded.release()
        // What it said last may come after its end, and never where another process holds its output open.
        const close = () => {
          clearTimeout(waiting)
          child.off('close', close)
          resolve()
          this.onclose?.()
        }
        const waiting = setTimeout(close, LAST_WORDS_MS)
        child.once('close', close)
      })
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin?.writable) throw new Error('The server has ended.')
    if (!stdin.write(serializeMessage(message)))
      await new Promise<void>((resolve) => stdin.once('drain', resolve).once('close', resolve))
  }

  async close(): Promise<void> {
    if (!this.#child || !this.#ended) return
    this.#child.stdin?.end()
    if (!(await endsWithin(this.#ended, GRACE_MS))) {
      this.#endGroup('SIGTERM')
      if (!(await endsWithin(this.#ended, GRACE_MS))) {
        this.#endGroup('SIGKILL')
        // Where its tree could not be ended, it at least is: nobody waits for ever.
        this.#child.kill('SIGKILL')
      }
      await this.#ended
    }
    this.#buffer.clear()
  }

  #take(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    const rest = chunk.subarray(end)
    const lines = end > 0 ? Buffer.concat([...this.#unended, chunk.subarray(0, end)]) : undefined
    if (lines) {
      this.#unended = []
      this.#unendedBytes = 0
    }
    this.#unended.push(rest)
    this.#unendedBytes += rest.length
    if (this.#unendedBytes > LONGEST_MESSAGE) {
      this.#unended = []
      this.#unendedBytes = 0
      this.complaints = `(a message of more than ${LONGEST_MESSAGE / 2 ** 20} MB)`
      this.onerror?.(new Error('A message has no end.'))
      this.#endGroup('SIGTERM')
      return
    }
    if (!lines) return
    this.#buffer.append(lines)
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(errorFrom(error))
      }
    }
  }

  #endGroup(signal: NodeJS.Signals): void {
    if (this.#child?.pid) endTree(this.#child.pid, signal)
  }
}

function errorFrom(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
