import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Agent, AgentEvent, RunRequest, RunResult } from '../src/agent/agent.ts'
import { createAgent } from '../src/agent/index.ts'
import type { Person } from '../src/agent/tool.ts'
import type { Archive } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { readConfig } from '../src/platform/config.ts'
import { sources } from '../src/sources/index.ts'
import { type Script, type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'
import { root } from './run-cli.ts'

export const TEST_SERVER = path.join(import.meta.dirname, 'agent-server.ts')

/** How each API is reached: what is set in the environment and in config.json. */
export const APIS = {
  anthropic: (url: string) => ({
    env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url },
    providers: {},
    provider: 'anthropic',
  }),
  'openai chat': (url: string) => ({
    env: { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: `${url}/v1` },
    providers: { openai: { api: 'chat' } },
    provider: 'openai',
  }),
  'openai responses': (url: string) => ({
    env: { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: `${url}/v1` },
    providers: { openai: { api: 'responses' } },
    provider: 'openai',
  }),
  gemini: (url: string) => ({
    env: { GEMINI_API_KEY: 'test-key', GEMINI_BASE_URL: url },
    providers: {},
    provider: 'gemini',
  }),
  'openai-compatible': (url: string) => ({
    env: {},
    providers: { local: { url: `${url}/v1`, model: 'tiny' } },
    provider: 'local',
  }),
} as const
export type Api = keyof typeof APIS

export interface Bench {
  folder: string
  project: string
  model: ScriptedModel
  archive: Archive
  agent: Agent
  env: Record<string, string>
  /** One run, with all that it told. */
  run(request: string | RunRequest, signal?: AbortSignal): Promise<RunResult & { events: AgentEvent[] }>
  /** The same after the process would have been started anew. */
  restart(): Promise<void>
  close(): Promise<void>
}

interface Setup {
  scripts: Script[]
  api?: Api
  servers?: unknown[]
  config?: Record<string, unknown>
  env?: Record<string, string>
  /** Whom servers may ask. */
  person?: Person
}

/** An agent with a folder of its own, a model that follows a script, and real MCP servers. */
export async function agentBench({
  scripts,
  api = 'anthropic',
  servers = [],
  config = {},
  env = {},
  person,
}: Setup): Promise<Bench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-agent-'))
  const project = path.join(folder, 'project')
  fs.mkdirSync(project)
  const model = await startScriptedModel(scripts)
  const reached = APIS[api](model.url)
  const { providers = {}, ...rest } = config
  const own = {
    providers: { ...reached.providers, ...(providers as object) },
    provider: reached.provider,
    ...rest,
  }
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ agent: own }))
  fs.writeFileSync(path.join(folder, 'mcp-servers.json'), JSON.stringify({ servers }))
  const whole: Record<string, string> = { ...reached.env, ...env }
  const machine = {
    platform: process.platform,
    home: path.join(folder, 'home'),
    env: { RECOLLECT_HOME: folder },
  }
  const open = () => {
    const archive = openSqliteArchive(folder)
    const agent = createAgent({
      archive,
      sources,
      machine,
      folder,
      config: () => readConfig(folder),
      env: whole,
      cwd: project,
      askable: { person },
    })
    return { archive, agent }
  }
  const bench: Bench = {
    folder,
    project,
    model,
    env: whole,
    ...open(),
    async run(request, signal = new AbortController().signal) {
      const events: AgentEvent[] = []
      const asked = typeof request === 'string' ? { message: request } : request
      const result = await bench.agent.run(asked, (event) => events.push(event), signal)
      return { ...result, events }
    },
    async restart() {
      await bench.agent.close()
      await bench.archive.close()
      Object.assign(bench, open())
    },
    async close() {
      await bench.agent.close()
      await bench.archive.close()
      await model.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
  return bench
}

/** Servers get only what they are given of the environment: dozens of them would compile the same files. */
const { NODE_COMPILE_CACHE } = process.env
const compiled: Record<string, string> = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}

/** Our test server, as it stands in mcp-servers.json. */
export function testServer(id = 'test', env: Record<string, string> = {}) {
  return {
    id,
    transport: 'stdio',
    command: process.execPath,
    args: [TEST_SERVER],
    env: { ...compiled, ...env },
  }
}

export function everything(id = 'everything') {
  const file = path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  return { id, transport: 'stdio', command: process.execPath, args: [file, 'stdio'], env: compiled }
}

export function filesystem(folder: string, id = 'files') {
  const file = path.join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  return { id, transport: 'stdio', command: process.execPath, args: [file, folder], env: compiled }
}

/** `${NAME}`, as it stands in mcp-servers.json. */
export function variable(name: string): string {
  return `\${${name}}`
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A process of its own that begins with an agent in this folder, and goes on with `then`. */
export function agentProcess(folder: string, then: string, env: Record<string, string> = {}) {
  const code = `
    const { createAgent } = await import('./src/agent/index.ts')
    const { openSqliteArchive } = await import('./src/archive/sqlite/index.ts')
    const { readConfig } = await import('./src/platform/config.ts')
    const folder = process.env.FOLDER
    const machine = { platform: process.platform, home: folder, env: {} }
    const agent = createAgent({ archive: openSqliteArchive(folder), sources: [], machine, folder, config: readConfig(folder), env: process.env, cwd: folder })
    ${then}`
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    env: { ...process.env, FOLDER: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
