import { z } from 'zod'
import type { Usage } from '../model/chat.ts'
import { formField } from './form.ts'

/** A tool call as it is kept: which tool it went to, whatever name the model knew it by. */
const call = z.object({
  id: z.string(),
  /** As the model was offered it. */
  name: z.string(),
  /** Missing where there is no such tool. */
  server: z.string().optional(),
  tool: z.string(),
  args: z.unknown(),
  /** Why it cannot be run at all: no such tool, or arguments that are no JSON. */
  problem: z.string().optional(),
  /** The program that asked runs it. */
  client: z.boolean().optional(),
})

const attachment = z.object({
  name: z.string(),
  mimeType: z.string(),
  data: z.string().optional(),
  text: z.string().optional(),
  url: z.string().optional(),
})

/** What a resumed run goes on with. */
const settings = z.object({
  temperature: z.number().optional(),
  maxOutputTokens: z.number().optional(),
  maxToolIterations: z.number().optional(),
  tools: z.boolean().optional(),
  topP: z.number().optional(),
  seed: z.number().optional(),
  stop: z.array(z.string()).optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  parallelToolCalls: z.boolean().optional(),
  reasoning: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  toolChoice: z.union([z.enum(['auto', 'none', 'required']), z.object({ tool: z.string() })]).optional(),
  json: z
    .object({
      schema: z.record(z.string(), z.unknown()).optional(),
      name: z.string().optional(),
      description: z.string().optional(),
    })
    .optional(),
})

const usage: z.ZodType<Usage> = z.object({
  input: z.number().optional(),
  output: z.number().optional(),
  cached: z.number().optional(),
  cacheWrite: z.number().optional(),
  reasoning: z.number().optional(),
})

const at = z.number()

/** The question whether more may be spent is asked as that about a tool, but about no call. */
export const BUDGET_CALL = 'budget'

/** What happens in a run, one line each: docs/sources/recollect-agent.md tells of every field. */
export const runEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session'),
    at,
    id: z.string(),
    format: z.number(),
    version: z.string(),
    workspace: z.string().optional(),
    /** The dialog that it was copied from, up to where it went on otherwise. */
    forkOf: z.string().optional(),
  }),
  z.object({
    type: z.literal('request'),
    at,
    id: z.string(),
    text: z.string(),
    provider: z.string(),
    model: z.string(),
    settings: settings.optional(),
    unattended: z.boolean().optional(),
    attachments: z.array(attachment).optional(),
    /** It was said elsewhere, before this dialog began here. */
    given: z.boolean().optional(),
  }),
  /** What a program that asks told the model about its part. */
  z.object({ type: z.literal('system'), at, text: z.string() }),
  /** A piece of an answer that is still being written. */
  z.object({
    type: z.literal('piece'),
    at,
    id: z.string(),
    text: z.string().optional(),
    thinking: z.string().optional(),
  }),
  z.object({
    type: z.literal('answer'),
    at,
    id: z.string(),
    text: z.string(),
    thinking: z.string().optional(),
    calls: z.array(call).optional(),
    /** As the model itself wants it back, with what only its provider understands. */
    content: z.array(z.record(z.string(), z.unknown())).optional(),
    model: z.string(),
    usage: usage.optional(),
    latencyMs: z.number().optional(),
    finish: z.enum(['length', 'content-filter']).optional(),
    outcome: z.enum(['failed', 'cancelled']).optional(),
    given: z.boolean().optional(),
  }),
  /** A call that does more than read is being run: without a result after it, nobody knows what became of it. */
  z.object({ type: z.literal('begun'), at, callId: z.string() }),
  z.object({
    type: z.literal('result'),
    at,
    callId: z.string(),
    server: z.string().optional(),
    tool: z.string(),
    ok: z.boolean(),
    text: z.string(),
    durationMs: z.number().optional(),
    own: z.boolean().optional(),
    cached: z.boolean().optional(),
    /** Pictures and documents, in base64. */
    media: z.array(z.object({ mimeType: z.string(), data: z.string() })).optional(),
  }),
  z.object({
    type: z.literal('approval'),
    at,
    id: z.string(),
    callId: z.string(),
    server: z.string(),
    tool: z.string(),
    args: z.unknown(),
    /** Of the tool as it was offered. */
    hash: z.string(),
    signature: z.string(),
  }),
  z.object({
    type: z.literal('decision'),
    at,
    id: z.string(),
    decision: z.enum(['allow', 'deny']),
    reason: z.string().optional(),
    remember: z.enum(['once', 'session', 'tool', 'server']).optional(),
    signature: z.string(),
  }),
  /** What a server asked while its tool ran. */
  z.object({
    type: z.literal('question'),
    at,
    id: z.string(),
    kind: z.enum(['form', 'sampling']),
    server: z.string(),
    message: z.string(),
    fields: z.array(formField),
  }),
  /** How that ended; what was filled in is for the server alone. */
  z.object({
    type: z.literal('answered'),
    at,
    id: z.string(),
    action: z.enum(['accept', 'decline', 'cancel']),
  }),
  z.object({ type: z.literal('notice'), at, text: z.string() }),
  /** From here on the model is told less than was said: a summary of all before a request, some results shortened. */
  z.object({
    type: z.literal('compacted'),
    at,
    text: z.string(),
    upTo: z.string().optional(),
    shortened: z.array(z.string()).optional(),
    usage: usage.optional(),
  }),
  z.object({
    type: z.literal('end'),
    at,
    status: z.enum(['done', 'paused', 'tools', 'failed', 'cancelled']),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
  }),
])

export type RunEvent = z.output<typeof runEvent>
export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>
export type Call = z.output<typeof call>

/** An event before it is written: its time is put in then. */
export type NewEvent = RunEvent extends infer Each
  ? Each extends RunEvent
    ? Omit<Each, 'at'>
    : never
  : never
