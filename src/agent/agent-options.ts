import type { Archive } from '../archive/archive.ts'
import type { Config } from '../platform/config.ts'
import type { Machine } from '../platform/machine.ts'
import type { Service } from '../service/service.ts'
import type { Source } from '../sources/source.ts'
import type { Person } from './tool.ts'

export interface AgentOptions {
  archive: Archive
  sources: Source[]
  /** The machine that is read. */
  machine: Machine
  /** The archive's folder: runs, approvals and `mcp-servers.json` lie in it. */
  folder: string
  /** As it is set now: asked at each run, so that a change needs no restart. */
  config: Config | (() => Config)
  /** Where keys of providers are kept; the archive's folder, but for the sample. */
  keysFolder?: string
  /** Of this process: keys of providers, and what `mcp-servers.json` names. */
  env: Machine['env']
  /** The folder that the person works in. */
  cwd: string
  /** Whom MCP servers may ask while their tools run; nobody where nobody sits there. */
  askable?: { person?: Person }
  /** What they ask is put to whoever answers by `answer`, where nobody sits there. */
  questions?: boolean
  /** Where long calls of our own tools are answered; without it, here. */
  aside?: Service['aside']
}
