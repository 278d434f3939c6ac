import type { Agent } from '../agent/agent.ts'
import { readConfig } from '../platform/config.ts'
import { recollectHome, thisMachine } from '../platform/machine.ts'
import type { Backend } from './backend.ts'

const agents = new WeakMap<Backend, Promise<Agent>>()

/** The agent that works with an archive: its code is loaded when somebody first wants it. */
export async function agentOf(backend: Backend): Promise<Agent> {
  const known = agents.get(backend) ?? made(backend)
  agents.set(backend, known)
  known.catch(() => agents.delete(backend))
  return await known
}

/** Ends what it started; nothing where nobody wanted it. */
export async function closeAgentOf(backend: Backend): Promise<void> {
  const agent = await agents.get(backend)?.catch(() => undefined)
  agents.delete(backend)
  await agent?.close()
}

/** Keys are the person's, whichever archive is shown. */
export async function keysFolder({ sample, folder }: Backend): Promise<string> {
  return sample ? recollectHome(thisMachine()) : await folder()
}

async function made(backend: Backend): Promise<Agent> {
  const { shared, folder } = backend
  const { createAgent } = await import('../agent/index.ts')
  const at = await folder()
  const { sources, machine } = await shared.readable()
  const { archive, env, aside } = shared
  return createAgent({
    archive,
    sources,
    machine,
    folder: at,
    config: () => readConfig(at),
    keysFolder: await keysFolder(backend),
    env,
    cwd: process.cwd(),
    aside,
    questions: true,
  })
}

/** Looking whether a model runs on this machine takes a moment that nobody should wait for. */
const PATIENCE_MS = 250
const FRESH_MS = 15_000
const readiness = new WeakMap<Backend, { at: number; ready: boolean }>()

/** What is set has changed: it is looked at anew. */
export function forgetReadiness(backend: Backend): void {
  readiness.delete(backend)
}

/** Whether any model could answer, as far as is known. */
export async function isAgentReady(backend: Backend): Promise<boolean> {
  const known = readiness.get(backend)
  if (known && Date.now() - known.at < FRESH_MS) return known.ready
  const looked = looking(backend)
  const soon = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(known?.ready ?? false), PATIENCE_MS).unref()
  })
  return await Promise.race([looked, soon])
}

async function looking(backend: Backend): Promise<boolean> {
  try {
    const providers = await (await agentOf(backend)).providers()
    const ready = providers.some((provider) => provider.ready)
    readiness.set(backend, { at: Date.now(), ready })
    return ready
  } catch {
    return false
  }
}
