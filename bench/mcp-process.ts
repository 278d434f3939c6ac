import { spawn } from 'node:child_process'
import fs from 'node:fs'

/** A server as a client starts it, spoken to without a library, whose time would count as well. */
export interface Running {
  /** Since it was started. */
  age(): number
  greet(): Promise<void>
  ask(method: string, params?: object): Promise<unknown>
  /** The answer as text. */
  call(tool: string, args: object): Promise<string>
  /** Waits for a notification. */
  heard(is: (message: Message) => boolean): Promise<unknown>
  /** As Linux tells them; `ownMB` is without the pages of files, as Node's own, which all servers share. */
  rssMB(): number
  ownMB(): number
  /** Of the processes that it has started for long calls and that are still there. */
  beside(): { processes: number; rssMB: number; ownMB: number }
  /** With all of these, those that have ended too. */
  cpuMs(): number
  /** Of the thread that answers: what it worked, and what it waited for a core. */
  served(): { workMs: number; waitMs: number }
  end(): Promise<void>
}

interface Message {
  id?: number
  method?: string
  params?: { uri?: string }
  result?: { content?: { text: string }[] }
}

export function started(bin: string, env: Record<string, string>): Running {
  const began = performance.now()
  const child = spawn(process.execPath, [bin, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<(message: Message) => boolean, (message: Message) => void>()
  let [rest, id] = ['', 0]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message: Message = JSON.parse(line)
      for (const [is, resolve] of waiting) {
        if (!is(message)) continue
        waiting.delete(is)
        resolve(message)
      }
    }
  })
  const heard = (is: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => void waiting.set(is, resolve))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (method: string, params: object = {}) => {
    const own = ++id
    const answered = heard((message) => message.id === own && message.method === undefined)
    send({ id: own, method, params })
    return (await answered).result
  }
  const stat = (file: string, pid = child.pid) => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8')
  const memory = (of: string, pid = child.pid) =>
    Number(new RegExp(`${of}:\\s+(\\d+)`).exec(stat('status', pid))?.[1] ?? 0) / 1_000
  /** Of the process, and of children that have ended. */
  const cpuMs = (pid = child.pid) => {
    const fields = stat('stat', pid).split(') ')[1]!.split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10
  }
  return {
    ask,
    heard,
    age: () => performance.now() - began,
    call: async (name, args) =>
      (await ask('tools/call', { name, arguments: args }))?.content?.[0]?.text ?? '',
    async greet() {
      const clientInfo = { name: 'bench', version: '1' }
      await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
      send({ method: 'notifications/initialized' })
    },
    rssMB: () => memory('VmRSS'),
    ownMB: () => memory('RssAnon'),
    beside() {
      const pids = childrenOf(child.pid!)
      const sum = (of: string) => pids.reduce((all, pid) => all + memory(of, pid), 0)
      return { processes: pids.length, rssMB: sum('VmRSS'), ownMB: sum('RssAnon') }
    },
    cpuMs: () => childrenOf(child.pid!).reduce((sum, pid) => sum + cpuMs(pid), cpuMs()),
    served() {
      const [work, wait] = stat(`task/${child.pid}/schedstat`).split(' ')
      return { workMs: Number(work) / 1e6, waitMs: Number(wait) / 1e6 }
    },
    end: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.stdin.end()
      }),
  }
}

function childrenOf(parent: number): number[] {
  return fs
    .readdirSync(`/proc/${parent}/task`)
    .flatMap((thread) =>
      fs
        .readFileSync(`/proc/${parent}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    )
}
