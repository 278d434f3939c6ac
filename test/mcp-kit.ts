import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { machine, root } from './run-cli.ts'

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

export function clientOf(era: Era, name = 'test-client'): Client {
  return new Client(
    { name, version: '1.0.0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
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
    env = {},
  }: { name?: string; client?: Client; args?: string[]; env?: Record<string, string> } = {},
): Promise<Client> {
  open.add(client)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'bin', 'recollect'), 'mcp', ...args],
      env: environment(alex, env),
      cwd: alex.project,
      stderr: 'ignore',
    }),
  )
  return client
}

const open = new Set<Client>()

/** For the end of a test file: a server that is left behind would keep it from ending. */
export async function closeAll(): Promise<void> {
  await Promise.allSettled([...open].map((client) => client.close()))
}

export function environment(alex: Alex, env: Record<string, string> = {}): Record<string, string> {
  const { home, archive } = alex
  return { PATH: process.env.PATH ?? '', HOME: home, USERPROFILE: home, RECOLLECT_HOME: archive, ...env }
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
  most = 5_000,
): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    if (performance.now() - began > most) throw new Error(`not within ${most} ms: ${what}`)
    await sleep(20)
  }
  return performance.now() - began
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
