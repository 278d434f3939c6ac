import type { Usage } from '../../model/chat.ts'
import { object, words } from '../json.ts'
import { readJson } from '../lines.ts'
import { tokens } from '../session-tokens.ts'

export function settingsOf(log: string): string {
  return log.replace(/\.jsonl$/, '.settings.json')
}

/** What stands beside a session: its model, and the tokens of all of it without those of sub-agents. */
export function readSettings(log: string): { model?: string; usage?: Usage } {
  let settings: ReturnType<typeof object>
  try {
    settings = object(readJson(settingsOf(log)))
  } catch {
    // It may come later, or never.
  }
  const counts = object(settings?.tokenUsage)
  const cached = tokens(counts, 'cacheReadTokens')
  const cacheWrite = tokens(counts, 'cacheCreationTokens')
  const fresh = tokens(counts, 'inputTokens')
  return {
    model: words(settings?.model)?.slice(0, 200),
    usage: counts && {
      input: fresh === undefined ? undefined : fresh + (cached ?? 0) + (cacheWrite ?? 0),
      output: tokens(counts, 'outputTokens'),
      cached,
      cacheWrite,
      reasoning: tokens(counts, 'thinkingTokens'),
    },
  }
}
