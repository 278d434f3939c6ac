/** What a token may be good for. */
export const SCOPES = ['read', 'context', 'export', 'ask', 'approve'] as const
export type Scope = (typeof SCOPES)[number]
