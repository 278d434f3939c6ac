/** What a token may be good for. */
export const SCOPES = ['read', 'context', 'export', 'ask', 'approve'] as const
export type Scope = (typeof SCOPES)[number]

/** What a token is good for where nothing else is said; also those made before there were scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'ask']

export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word)
}
