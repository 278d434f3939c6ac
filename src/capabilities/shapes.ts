import { z } from 'zod'
import { KINDS, ROLES } from '../model/chat.ts'

/**
 * What answers are made of, each said once: schemas of outputs, of the REST document and of the client's types. Large ones are made when
 * asked for: a server that answers needs none of them.
 */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
/** Whatever a tool was given or gave back. */
export const anyJson = z.unknown().pipe(z.custom<Json>(() => true))

const at = z.number().optional().describe('Epoch milliseconds')
const atOrNull = z.number().nullable().describe('Epoch milliseconds')

/** How sure it is that this is the dialog that asks, and why. */
const matched = z.string().optional()
/** Where that cannot be told: what it may be, and what to do. */
const unsure = {
  candidates: z
    .array(z.object({ sessionId: z.string(), firstRequest: z.string(), updatedAt: atOrNull }))
    .optional(),
  hint: z.string().optional(),
}

/** How every answer about what was asked in a chat begins. */
export const askedChat = {
  success: z.boolean(),
  error: z.string().optional(),
  ...unsure,
  sessionId: z.string().optional(),
  matched,
}

export const timeRange = z.object({ from: atOrNull, to: atOrNull })

const role = z.enum(ROLES)
const kind = z.enum(KINDS)

/** A chat before its messages: every answer about chats takes its fields from here. */
export const chatHeader = () =>
  z.object({
    id: z.string(),
    source: z.string().describe('The assistant, e.g. claude-code'),
    title: z.string(),
    workspace: z.string().optional(),
    repository: z.string().optional().describe('Its git remote as host/owner/name'),
    branch: z.string().optional(),
    author: z.string().optional().describe('Whose it is, where it is not of this machine'),
    machine: z.string().optional().describe('Which it was read on, where it is not this one'),
    createdAt: at,
    updatedAt: at,
    parentId: z.string().optional().describe('The chat that started it as a sub-agent'),
    forkOf: z.string().optional(),
    subagent: z.boolean().optional(),
    resume: z.string().optional().describe('The command to resume it'),
    status: z.enum(['running', 'waiting', 'done', 'failed', 'cancelled']).optional(),
    format: z.string().optional(),
    models: z.array(z.string()),
    messageCount: z.number(),
    requestCount: z.number(),
    pinned: z.literal(true).optional().describe('Starred by its owner'),
  })

/** Where a chat comes from, to be picked out of its header. */
export const ORIGIN = { repository: true, author: true, machine: true } as const

export const listedChat = () =>
  chatHeader()
    .pick({
      title: true,
      source: true,
      workspace: true,
      ...ORIGIN,
      messageCount: true,
      requestCount: true,
      pinned: true,
      status: true,
    })
    .extend({
      chatId: z.string(),
      date: z.string().describe('YYYY-MM-DD of its last message'),
      createdAt: atOrNull,
      updatedAt: atOrNull,
    })

export const relative = () => chatHeader().pick({ id: true, source: true, title: true, messageCount: true })

export const notFound = z.array(z.object({ id: z.string(), error: z.string() })).optional()
/** What was taken for what, and what was left out. */
export const notes = z.array(z.string()).optional()

export const usage = () =>
  z.object({
    input: z.number().optional(),
    output: z.number().optional(),
    cached: z.number().optional(),
    cacheWrite: z.number().optional(),
    reasoning: z.number().optional(),
    searches: z.number().optional(),
    cost: z.number().optional(),
  })

export const via = z.string().optional().describe('How a request came, where it was no prompt')

/** A message with all that is known of it. */
export const readMessage = () =>
  z.object({
    index: z.number(),
    id: z.string(),
    role,
    kind,
    via,
    createdAt: at,
    text: z.string(),
    thinking: z.string().optional(),
    toolCalls: z
      .array(
        z.object({
          id: z.string(),
          server: z.string().optional(),
          tool: z.string(),
          args: anyJson.optional(),
        }),
      )
      .optional(),
    toolResults: z
      .array(
        z.object({
          callId: z.string(),
          own: z.boolean().optional(),
          text: z.string().optional(),
          json: anyJson.optional(),
          error: z.string().optional(),
          exitCode: z.number().optional(),
          durationMs: z.number().optional(),
          chat: z.string().optional(),
          chars: z.number().optional().describe('How long its text is, where it is cut'),
        }),
      )
      .optional(),
    citations: z
      .array(
        z.object({
          url: z.string().optional(),
          path: z.string().optional(),
          title: z.string().optional(),
          text: z.string().optional(),
        }),
      )
      .optional(),
    attachments: z
      .array(
        z.object({
          name: z.string(),
          type: z.string(),
          path: z.string().optional(),
          url: z.string().optional(),
          mimeType: z.string().optional(),
          bytes: z.number().optional(),
          text: z.string().optional(),
          data: z.string().optional(),
          held: z.literal(true).optional().describe('There is a picture, which one message whole tells'),
        }),
      )
      .optional(),
    files: z
      .array(z.object({ path: z.string(), action: z.enum(['read', 'edit', 'create', 'delete', 'rename']) }))
      .optional(),
    model: z.string().optional(),
    usage: usage().optional(),
    latencyMs: z.number().optional(),
    thinkingMs: z.number().optional(),
    undone: z.boolean().optional(),
    outcome: z.enum(['failed', 'cancelled']).optional(),
    copy: z.boolean().optional().describe('Repeated from the chat that this one was forked from'),
    cut: z.literal(true).optional().describe('A text of it is longer than is shown'),
  })

/** A message as it is handed to an agent. */
export const agentMessage = () =>
  z.object({
    index: z.number(),
    messageId: z.string(),
    createdAt: atOrNull,
    role: z.string(),
    kind: kind.optional().describe('Only where the role misleads'),
    undone: z.literal(true).optional(),
    content: z.string(),
    attachments: z
      .array(z.object({ type: z.string(), name: z.string() }))
      .optional()
      .describe('Of a request without words'),
    tools: z
      .object({
        calls: z
          .array(z.object({ server: z.string().optional(), tool: z.string(), args: anyJson.optional() }))
          .optional(),
        results: z
          .array(
            z.object({
              text: z.string().optional(),
              json: anyJson.optional(),
              error: z.literal(true).optional(),
              exitCode: z.number().optional(),
            }),
          )
          .optional(),
      })
      .optional(),
    part: z.object({ from: z.number(), of: z.number() }).optional().describe('The content continues'),
  })

export const snippet = () =>
  z.object({
    messageId: z.string(),
    index: z.number(),
    role: z.string(),
    type: z.string(),
    createdAt: at,
    text: z.string(),
    source: z.enum(['content', 'title', 'tool']),
    marks: z.array(z.tuple([z.number(), z.number()])).describe('Where in the text the words are'),
    relevance: z.number(),
  })

const percentiles = () => z.object({ p50: z.number(), p95: z.number(), count: z.number() }).nullable()

export const metrics = () =>
  z.object({
    messages: z.number(),
    requests: z.number(),
    answers: z.number(),
    tokens: z.object({
      input: z.number(),
      output: z.number(),
      cached: z.number(),
      cacheWrite: z.number(),
      reasoning: z.number(),
      measured: z.number().describe('Messages that say what they used'),
    }),
    cost: z.object({ usd: z.number().nullable(), unknown: z.number() }),
    latencyMs: percentiles(),
    reasoningMs: percentiles(),
    tools: z.object({ calls: z.number(), failures: z.number() }),
  })
