import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallToolResult, Client, type ClientCapabilities } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bareEnvironment, machine, recollect, root } from './run-cli.ts'

export type Era = 'legacy' | 'modern'
export const ERAS: Era[] = ['legacy', 'modern']

/** A machine whose home folder holds the sample chats, and a project folder to work in. */
export function sampleMachine() {
  const alex = machine()
  fs.cpSync(path.join(root, 'sample'), alex.home, { recursive: true })
  const project = path.join(alex.home, 'project')
  fs.mkdirSync(path.join(project, '.git'), { recursive: true })
  return { ...alex, project }
}

export type Alex = ReturnType<typeof sampleMachine>

export function clientOf(era: Era, name = 'test-client', capabilities: ClientCapabilities = {}): Client {
  return new Client(
    { name, version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  )
}

/** The official client, connected to a real server process. */
export async function connected(
  alex: Alex,
  era: Era,
  {
    name,
    client = clientOf(era, name),
    args = [],
    command = [recollect, 'mcp'],
    env = {},
  }: {
    name?: string
    client?: Client
    args?: string[]
    /** What Node is to run. */
    command?: string[]
    env?: Record<string, string>
  } = {},
): Promise<Client> {
  open.add(client)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...command, ...args],
      env: environment(alex, env),
      cwd: alex.project,
      stderr: 'ignore',
    }),
  )
  return client
}

export interface Served {
  child: ChildProcess
  url: URL
  err(): string
}

/** A real server process that serves HTTP. */
export async function served(alex: Alex, args: string[], env: Record<string, string> = {}): Promise<Served> {
  const child = spawn(process.execPath, [recollect, 'mcp', ...args], {
    cwd: alex.project,
    env: environment(alex, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  await until('it listens', () => /listening on \S+/.test(err))
  return { child, url: new URL(/listening on (\S+)/.exec(err)![1]!), err: () => err }
}

const open = new Set<Client>()

/** For the end of a test file: a server that is left behind would keep it from ending. */
export async function closeAll(): Promise<void> {
  await Promise.allSettled([...open].map((client) => client.close()))
}

export function environment(alex: Alex, env: Record<string, string> = {}): Record<string, string> {
  const { home, archive } = alex
  return { ...bareEnvironment(), HOME: home, USERPROFILE: home, RECOLLECT_HOME: archive, ...env }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export type Answer = any

export function answerOf(result: CallToolResult): Answer {
  const [first] = result.content
  return first?.type === 'text' ? JSON.parse(first.text) : undefined
}

/** Waits until it is so; for what happens in another process. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  most = 180_000,
): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    if (performance.now() - began > most) throw new Error(`not within ${most} ms: ${what}`)
    await sleep(20)
  }
  return performance.now() - began
}

/** Does it again and again until it is heard of: from then on whoever listens follows what changes. */
export async function untilHeard(act: (time: number) => void, isHeard: () => boolean): Promise<void> {
  for (let time = 0; !isHeard(); time++) {
    act(time)
    await until('it is heard', isHeard, 2_000).catch(() => {
      if (time === 60) throw new Error('nothing is heard')
    })
  }
}

/** A line that the person adds to a chat of Claude Code. */
export function claudeLine(session: string, text: string, cwd: string, at = new Date()): string {
  return `${JSON.stringify({
    type: 'user',
    uuid: `u-${at.getTime()}-${text.length}`,
    parentUuid: null,
    sessionId: session,
    timestamp: at.toISOString(),
    cwd,
    version: '2.1.325',
    message: { role: 'user', content: text },
  })}\n`
}

export function claudeFile(alex: Alex, session: string): string {
  const folder = path.join(alex.home, '.claude', 'projects', '-home-alex-project')
  fs.mkdirSync(folder, { recursive: true })
  return path.join(folder, `${session}.jsonl`)
}
