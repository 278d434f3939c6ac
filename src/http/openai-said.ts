import { z } from 'zod'
import type { Attachment, ClientTool, Earlier, RunParameters } from '../agent/agent.ts'
import { RecollectError } from '../model/errors.ts'

/** A message as either of OpenAI's APIs has it, in our words. */
export type Said = { role: 'system'; text: string } | Earlier

/** What is asked for by name and cannot be had: left out in silence it would mislead whoever asked. */
export function refused(name: string, hint = 'Leave it out.'): RecollectError {
  return new RecollectError('UNSUPPORTED_PARAMETER', `\`${name}\` is not taken here.`, hint, { param: name })
}

/** Refuses those of these fields that say anything. */
export function refuseFields(body: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const value = body[name]
    const isNothing = value === undefined || value === null || value === false || isEmptyList(value)
    if (!isNothing) throw refused(name)
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

const contentPart = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
  image_url: z.union([z.string(), z.looseObject({ url: z.string() })]).optional(),
  file: z.looseObject({ file_data: z.string().optional(), filename: z.string().optional() }).optional(),
  file_data: z.string().optional(),
  filename: z.string().optional(),
})
export const content = z.union([z.string(), z.array(contentPart)])
export type Content = z.output<typeof content>

export function textOf(given: Content | null | undefined): string {
  return contentOf(given, 'text only').text
}

/** Words and what goes with them; a part of a kind that no model here takes is refused by its name. */
export function contentOf(
  given: Content | null | undefined,
  allowed: 'all' | 'text only' = 'all',
): { text: string; attachments: Attachment[] } {
  if (typeof given === 'string') return { text: given, attachments: [] }
  const texts: string[] = []
  const attachments: Attachment[] = []
  for (const part of given ?? []) {
    const text = part.text ?? part.refusal
    const picture = typeof part.image_url === 'string' ? part.image_url : part.image_url?.url
    const file = part.file ?? part
    if (text !== undefined) texts.push(text)
    else if (allowed === 'all' && picture) attachments.push(attached(picture, 'image', part.type))
    else if (allowed === 'all' && file.file_data)
      attachments.push(attached(file.file_data, file.filename ?? 'file', part.type))
    else throw refused(part.type, 'Only text, pictures and files with their data can be part of a message.')
  }
  return { text: texts.join('\n'), attachments }
}

function attached(address: string, name: string, part: string): Attachment {
  const [, mimeType = 'application/octet-stream', data] =
    /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,([A-Za-z0-9+/=\s]+)$/.exec(address) ?? []
  if (data !== undefined) return { name, mimeType, data: data.replaceAll(/\s/g, '') }
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return { name, mimeType: 'image', url: address }
  throw new RecollectError(
    'INVALID_INPUT',
    `A part of the type ${part} has neither a data: address in base64 nor one that begins with https://.`,
  )
}

/** A function as both APIs have it; the older one has it in a field of its own. */
export const functionTool = z.looseObject({
  name: z.string().regex(/^[\w-]{1,64}$/, 'is the name of a function: letters, digits, _ and -'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
})

export function clientTool({ name, description, parameters }: z.output<typeof functionTool>): ClientTool {
  return {
    name,
    ...(description && { description }),
    inputSchema: parameters ?? { type: 'object', properties: {} },
  }
}

/** A call's arguments are JSON in a text; a model's slip stays as it was. */
export function argumentsOf(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

export const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])

/** `response_format` and `text.format`, alike but for where the schema is. */
export function jsonOf(
  type: string | undefined,
  given: Record<string, unknown> | null | undefined,
  name: string,
): RunParameters['json'] {
  if (type === undefined || type === 'text') return undefined
  if (type === 'json_object') return {}
  if (type !== 'json_schema') throw refused(name, 'It may be `text`, `json_object` or `json_schema`.')
  const { schema, name: called, description } = given ?? {}
  if (typeof schema !== 'object' || schema === null)
    throw new RecollectError('INVALID_INPUT', `\`${name}\` of the type json_schema has no schema.`)
  return {
    schema: schema as Record<string, unknown>,
    ...(typeof called === 'string' && { name: called }),
    ...(typeof description === 'string' && { description }),
  }
}
