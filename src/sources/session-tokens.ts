import type { Usage } from '../model/chat.ts'
import { type Json, number } from './json.ts'
import type { Found } from './source.ts'

/** After everything else in its chat, however long that gets. */
const LAST = 2 ** 52

/** The tokens of a session whose assistant counts them only as a whole. */
export function sessionTokens(chatId: string, usage: Usage | undefined, model?: string): Found[] {
  if (!usage || Object.values(usage).every((tokens) => !tokens)) return []
  const text = 'Tokens of the whole session.'
  const message = { id: 'session-tokens', order: LAST, role: 'system', kind: 'notice', text, usage } as const
  return [{ chatId, message: { ...message, ...(model && { model }) } }]
}

/** A count of tokens, where there is one. */
export function tokens(counts: Json | undefined, name: string): number | undefined {
  const count = number(counts?.[name])
  return count !== undefined && count >= 0 ? count : undefined
}
