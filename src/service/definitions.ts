import { z } from 'zod'
import { type Capability, writes } from '../capabilities/capability.ts'

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
  const own = visibleProperties(schema.properties ?? {})
  // Any answer may be too long for the client, and then goes on from a cursor.
  const paging = {
    cursor: { type: 'string' },
    max_chars: { type: 'integer' },
  }
  return { ...schema, type: 'object', properties: isWriting ? own : { ...paging, ...own } }
}

/** Several may be given, as the page does; a model is told of one, in fewer words. */
const ONE_OF = new Set(['source', 'workspace', 'model', 'query'])
/** A model has `time_window`. */
const HIDDEN = new Set(['months'])

/** Five tools take it. */
const WINDOW = {
  description: 'Days, or {start, end} as YYYY-MM-DD',
  anyOf: [{ type: 'string', enum: ['7d', '30d', '60d', '90d', 'all'] }, { type: 'object' }],
}

function visibleProperties(properties: object): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      if (HIDDEN.has(name)) return []
      if (name === 'time_window') return [[name, WINDOW]]
      if (!ONE_OF.has(name)) return [[name, schema]]
      const { anyOf: _, ...one } = schema
      return [[name, { ...one, type: 'string' }]]
    }),
  )
}

const UNSAID = new Set(['$schema', 'maxLength', 'maxItems', 'pattern'])

/** Without what tells a model nothing: the dialect, limits that no sensible call meets, bounds that only repeat what a number can hold. */
function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim)
  if (!value || typeof value !== 'object') return value
  if ('type' in value && Array.isArray(value.type)) {
    const { type: types, ...rest } = value
    // Moments may be numbers too; a model does better to write a date.
    if (types.join() === 'string,number') return slim({ ...rest, type: 'string' })
    // Some hosts know only one type per schema.
    return slim({ ...rest, anyOf: types.map((type) => ({ type })) })
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, each]) =>
          !UNSAID.has(key) &&
          !(key === 'additionalProperties' && (each === false || isEmpty(each))) &&
          !((key === 'maximum' || key === 'minimum') && Math.abs(Number(each)) === Number.MAX_SAFE_INTEGER),
      )
      .map(([key, each]) => [key, slim(each)]),
  )
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
