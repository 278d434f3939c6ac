import type { Agent } from '../agent/agent.ts'
import { readConfig } from '../platform/config.ts'
import { recollectHome, thisMachine } from '../platform/machine.ts'
import type { Desk } from './desk.ts'

const agents = new WeakMap<Desk, Promise<Agent>>()

/** The agent that works with an archive: its code is loaded when somebody first wants it. */
export async function agentOf(desk: Desk): Promise<Agent> {
  const known = agents.get(desk) ?? made(desk)
  agents.set(desk, known)
  known.catch(() => agents.delete(desk))
  return await known
}

/** Ends what it started; nothing where nobody wanted it. */
export async function closeAgentOf(desk: Desk): Promise<void> {
  const agent = await agents.get(desk)?.catch(() => undefined)
  agents.delete(desk)
  await agent?.close()
}

/** Keys are the person's, whichever archive is shown. */
export async function keysFolder({ sample, folder }: Desk): Promise<string> {
  return sample ? recollectHome(thisMachine()) : await folder()
}

async function made(desk: Desk): Promise<Agent> {
  const { shared, folder } = desk
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
    keysFolder: await keysFolder(desk),
    env,
    cwd: process.cwd(),
    aside,
  })
}

/** Looking whether a model runs on this machine takes a moment that nobody should wait for. */
const PATIENCE_MS = 250
const FRESH_MS = 15_000
const readiness = new WeakMap<Desk, { at: number; ready: boolean }>()

/** What is set has changed: it is looked at anew. */
export function forgetReadiness(desk: Desk): void {
  readiness.delete(desk)
}

/** Whether any model could answer, as far as is known. */
export async function isAgentReady(desk: Desk): Promise<boolean> {
  const known = readiness.get(desk)
  if (known && Date.now() - known.at < FRESH_MS) return known.ready
  const looked = looking(desk)
  const soon = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(known?.ready ?? false), PATIENCE_MS).unref()
  })
  return await Promise.race([looked, soon])
}

async function looking(desk: Desk): Promise<boolean> {
  try {
    const providers = await (await agentOf(desk)).providers()
    const ready = providers.some((provider) => provider.ready)
    readiness.set(desk, { at: Date.now(), ready })
    return ready
  } catch {
    return false
  }
}
