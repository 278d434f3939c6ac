import type { AgentConfig } from '../platform/config.ts'
import type { ToolStatus } from './agent.ts'
import type { NamedTool } from './pool.ts'
import type { Remembered } from './remembered.ts'
import type { EventOf } from './run-event.ts'

export type Verdict = ToolStatus['approval']

/**
 * Whether a tool runs always, after asking, or never. What is configured as `never` holds whatever
 * was decided; else the newest decision of a person counts, then the configuration. Without a word
 * on it our own tools run where they only read, and everything else is asked about.
 */
export function verdictOn(
  tool: NamedTool,
  { approvals }: Pick<AgentConfig, 'approvals'>,
  remembered: Remembered,
  inSession: 'allow' | 'deny' | undefined = undefined,
): Verdict {
  const configured = settingFor(tool, approvals)
  if (configured === 'never') return 'never'
  const decided = inSession ?? remembered.decision(tool)
  if (decided) return decided === 'allow' ? 'always' : 'never'
  return configured ?? (tool.reads ? 'always' : 'ask')
}

/** What a setting by tool, `server/tool`, server or pattern says of a tool: the most exact one counts. */
export function settingFor<T>(
  { name, server, tool }: Pick<NamedTool, 'name' | 'server' | 'tool'>,
  settings: Record<string, T>,
): T | undefined {
  const exact = [`${server}/${tool}`, name, tool].find((key) => Object.hasOwn(settings, key))
  if (exact !== undefined) return settings[exact]
  const pattern = Object.keys(settings)
    .filter((key) => key.includes('*') && key !== '*')
    .filter((key) => [`${server}/${tool}`, name, tool].some((each) => matches(each, key)))
    .sort((a, b) => b.length - a.length)[0]
  if (pattern !== undefined) return settings[pattern]
  return Object.hasOwn(settings, server) ? settings[server] : settings['*']
}

export function matches(text: string, pattern: string): boolean {
  const literal = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`, 's').test(text)
}

/** What was decided about a tool for the rest of one dialog. */
export function sessionDecision(
  { server, tool }: Pick<NamedTool, 'server' | 'tool'>,
  decided: { approval: EventOf<'approval'>; decision: EventOf<'decision'> }[],
): 'allow' | 'deny' | undefined {
  return decided.findLast(
    ({ approval, decision }) =>
      decision.remember === 'session' && approval.server === server && approval.tool === tool,
  )?.decision.decision
}
