import { createHash } from 'node:crypto'
import type { FormContent, FormField } from './form.ts'
import { canonical } from './signature.ts'

/** A tool that the model may be offered, wherever it comes from. */
export interface Tool {
  server: string
  /** As its server calls it. */
  tool: string
  description: string
  inputSchema: Record<string, unknown>
  /** Whether it only reads, as far as we know ourselves; of other servers' tools we do not. */
  reads: boolean
  /** Whether it can be called as things are. */
  available: boolean
  call(args: Record<string, unknown>, context: CallContext): Promise<Outcome>
}

export interface CallContext {
  sessionId: string
  signal: AbortSignal
  /** How far it is, as its server tells. */
  onProgress?: (progress: Progress) => void
  /** A server may want to know something, or to use the model, while a tool runs; without it, it is told no. */
  person?: Person
  /** Has the model of the dialog answer a server. */
  sample?: (request: Sampling) => Promise<{ text: string; model: string }>
}

/** What a server wants the model to answer. */
export interface Sampling {
  system?: string
  messages: { role: 'user' | 'assistant'; text: string }[]
  maxTokens: number
  temperature?: number
}

export interface Progress {
  done: number
  total?: number
  message?: string
}

/** Whoever can be asked while a tool runs; `until` it is wanted no more. */
export interface Person {
  /** What a server wants to know: a form of plain fields. Nothing where the person gives no answer. */
  fill(question: ServerQuestion, until?: AbortSignal): Promise<FormContent | 'decline' | undefined>
  /** Whether a server may have the model answer this; nothing where the person gives no answer. */
  allowSampling(
    request: { server: string; prompt: string },
    until?: AbortSignal,
  ): Promise<boolean | undefined>
}

interface ServerQuestion {
  server: string
  message: string
  fields: FormField[]
}

/** A picture or a document, in base64. */
export interface Media {
  mimeType: string
  data: string
}

/** What a tool gave back, in words for the model. */
export interface Outcome {
  ok: boolean
  text: string
  /** For models that take it. */
  media?: Media[]
}

export function failure(reason: string): Outcome {
  return { ok: false, text: /^error\b/i.test(reason) ? reason : `Error: ${reason}` }
}

/** So that the model looks before it does it once more. */
export function notKnown(name: string): string {
  return `Whether ${name} was carried out is not known.`
}

/** Not more than the model should have to read; what is left out is said. */
export function capped({ text, ...rest }: Outcome, most: number): Outcome {
  if (text.length <= most) return { ...rest, text }
  const kept = text.slice(0, most).toWellFormed()
  return {
    ...rest,
    text: `${kept}\n[cut: ${text.length - most} of ${text.length} characters are left out; ask for less at a time]`,
  }
}

/** What a tool says of itself: one that has become another must not inherit what was allowed. */
export function hashOf({ description, inputSchema }: Pick<Tool, 'description' | 'inputSchema'>): string {
  return createHash('sha256').update(canonical({ description, inputSchema })).digest('hex').slice(0, 32)
}
