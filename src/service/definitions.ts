import { z } from 'zod'
import { type Capability, writes } from '../capabilities/capability.ts'
import { LEAST_CHARS } from './budget.ts'

type JsonSchema = Record<string, unknown>

/** A capability as it is told to a model: what it is called, what it does and what it takes. */
export interface Definition {
  name: string
  title: string
  description: string
  /** A JSON schema, said in as few words as will do. */
  inputSchema: { type: 'object'; properties: JsonSchema; required?: string[] }
  writes: boolean
  set: Capability['set']
}

export function definitionOf(capability: Capability): Definition {
  const { name, title, description, input, set } = capability
  const isWriting = writes(capability)
  return { name, title, description, inputSchema: inputSchema(input, isWriting), writes: isWriting, set }
}

function inputSchema(input: z.ZodType, isWriting: boolean): Definition['inputSchema'] {
  const schema = slim(z.toJSONSchema(input, { io: 'input' })) as JsonSchema
  const own = (schema.properties ?? {}) as JsonSchema
  // Any answer may be too long for the client, and then goes on from a cursor.
  const paging = { cursor: { type: 'string' }, max_chars: { type: 'integer', minimum: LEAST_CHARS } }
  return { ...schema, type: 'object', properties: isWriting ? own : { ...paging, ...own } }
}

/** Without what says nothing: the dialect, and bounds that only repeat what a number can hold. */
function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim)
  if (!value || typeof value !== 'object') return value
  if ('type' in value && Array.isArray(value.type)) {
    // Some hosts know only one type per schema.
    const { type: types, ...rest } = value
    return slim({ ...rest, anyOf: types.map((type) => ({ type })) })
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, each]) =>
          key !== '$schema' &&
          !(key === 'additionalProperties' && (each === false || isEmpty(each))) &&
          !((key === 'maximum' || key === 'minimum') && Math.abs(Number(each)) === Number.MAX_SAFE_INTEGER),
      )
      .map(([key, each]) => [key, slim(each)]),
  )
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
