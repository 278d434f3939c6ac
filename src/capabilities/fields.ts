import { z } from 'zod'

/** Names and shapes that several capabilities share, each said in as few words as will do. */

/**
 * Said to the host as given, but taken as it comes: the handler checks it, because its error texts
 * are the contract's and not those of a schema.
 */
export function checkedByHandler(schema: { type: string; minimum?: number; description?: string }) {
  return z.unknown().optional().meta(schema)
}

export const sessionId = checkedByHandler({
  type: 'string',
  description: 'Chat id or unique prefix; default: the current chat',
})

export const chatIds = z.array(z.string().min(1)).min(1).max(20)
export const source = z.string().optional().describe('Assistant, e.g. claude-code')
export const workspace = z.string().optional().describe('Project folder: path or name')
const several = z.union([z.string(), z.array(z.string()).max(64)]).optional()
/** The same where any of several will do. */
export const narrowing = {
  source: several.describe('Assistant, e.g. claude-code'),
  workspace: several.describe('Project folder: path or name'),
  model: several.describe('Model'),
  starred: z.boolean().optional().describe('Only starred chats'),
  months: z
    .array(z.string().regex(/^\d{4}-\d{2}$/))
    .max(120)
    .optional()
    .describe('Months, YYYY-MM'),
}
/** Where chats come from. */
export const origin = {
  repository: z.string().optional().describe('Git: owner/name or URL'),
  author: z.string().optional().describe('Person; me: the user'),
  machine: z.string().optional().describe('Computer; this: here'),
}
export const maxChars = z.number().min(1_000).optional().describe('Characters, default 10000')
export const cursor = z.string().optional().describe('From the previous answer')

const moment = z.union([z.string(), z.number()]).optional()
export const timeWindow = z
  .union([z.enum(['7d', '30d', '60d', '90d', 'all']), z.object({ start: moment, end: moment })])
  .optional()
  .describe('Last days, or YYYY-MM-DD')

/** Chats that a search chooses. */
export const chosen = {
  query: z.string().optional().describe('Search words'),
  source,
  workspace,
  time_window: timeWindow,
}
