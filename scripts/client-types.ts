/**
 * Writes src/client/types.ts: what every capability takes and answers, as types that need nothing
 * else. The page and other programs use them. And src/client/routes.ts: what the other addresses of
 * the REST interface answer, for the page. `--check` says whether they are up to date.
 */
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Capability } from '../src/capabilities/capability.ts'
import { allCapabilities, capabilities } from '../src/capabilities/index.ts'
import { allRoutes } from '../src/http/routes.ts'

const folder = path.join(import.meta.dirname, '..', 'src', 'client')

type Schema = z.core.JSONSchema.BaseSchema

export function clientTypes(): string {
  const inputs = capabilities.map((each) => `  ${each.name}: ${typeOf(schemaOf(each, 'input'), 1)}`)
  const answers = allCapabilities.map((each) => `  ${each.name}: ${typeOf(schemaOf(each, 'output'), 1)}`)
  return `// Written by scripts/client-types.ts from the schemas of src/capabilities.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** What each capability takes. */
export interface Inputs {
${inputs.join('\n')}
}

/** What each capability answers. */
export interface Answers {
${answers.join('\n')}
}

export type CapabilityName = keyof Inputs

/** One method for each capability; what goes wrong is thrown as a \`Problem\`. */
export type Client = {
  [N in CapabilityName]: (
    input: Inputs[N],
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Answers[N]>
}

export interface ClientOptions {
  /** Where \`recollect serve\` listens, e.g. http://127.0.0.1:3940 */
  url: string
  /** Of \`recollect token create\`. */
  token: string
  fetch?: typeof fetch
}

/** An error with what to do next. */
export interface Problem extends Error {
  code: string
  /** Of HTTP. */
  status: number
  hint?: string | undefined
}
`
}

export function routeTypes(): string {
  const routes = allRoutes(capabilities, '').flatMap(({ method, path: at, tag, answer }) =>
    answer && tag !== 'capabilities' && at !== '/openapi.json'
      ? [{ name: `${method.toUpperCase()} ${at}`, schema: jsonSchema(answer, 'output') }]
      : [],
  )
  const shared = sharedShapes(routes)
  const shapes = [...shared].map(
    ([key, name]) => `type ${name} = ${objectOf(JSON.parse(key) as Schema, 0, shared)}\n`,
  )
  const answers = routes.map(({ name, schema }) => `  '${name}': ${typeOf(schema, 1, shared)}`)
  return `// Written by scripts/client-types.ts from the schemas of src/http.
import type { Json } from './types.ts'

${shapes.join('\n')}
/** What each address of the REST interface answers, besides those of capabilities. */
export interface Routes {
${answers.join('\n')}
}
`
}

const FEWEST_FIELDS = 5

/** Objects that several answers have, each by its schema: a whole answer is named after its address, others after their field. */
function sharedShapes(routes: { name: string; schema: Schema }[]): Map<string, string> {
  const seen = new Map<string, { times: number; words: string[] }>()
  const look = (schema: unknown, words: string[]) => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, items, anyOf = [], additionalProperties } = schema as Schema
    const { description: _, ...shape } = schema as Schema
    const key = JSON.stringify(shape)
    const known = seen.get(key)
    if (Object.keys(properties).length >= FEWEST_FIELDS)
      seen.set(key, { times: (known?.times ?? 0) + 1, words: known?.words ?? words })
    // What stands in one that is shared is written once with it.
    if (known) return
    for (const [name, each] of Object.entries(properties)) look(each, [...words, name])
    for (const each of [items, additionalProperties, ...anyOf]) look(each, words)
  }
  for (const { name, schema } of routes)
    look(schema, [
      `${
        name
          .replace(/\{\w+\}/g, '')
          .match(/[a-z]+/gi)
          ?.at(-1) ?? ''
      }Answer`,
    ])
  const names = new Map<string, string>()
  for (const [key, { times, words }] of seen) {
    if (times < 2) continue
    // Two fields of one name are told apart by what they are in.
    const candidates = words.map((_, at) =>
      words
        .slice(words.length - 1 - at)
        .map(typeName)
        .join(''),
    )
    const name = candidates.find((each) => ![...names.values()].includes(each))
    if (!name) throw new Error(`two shapes would be called ${candidates.at(-1)}`)
    names.set(key, name)
  }
  return names
}

/** `chats` are each a `Chat`. */
function typeName(word: string): string {
  const one = word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
  return one.charAt(0).toUpperCase() + one.slice(1)
}

/** The declarations of the package's client. */
export function clientDeclarations(): string {
  return `${clientTypes()}
/** The capabilities of a running \`recollect serve\`, typed. */
export declare function recollect(options: ClientOptions): Client
`
}

function schemaOf({ input, output }: Capability, io: 'input' | 'output'): Schema {
  return jsonSchema(io === 'input' ? input : output, io)
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

type Shared = ReadonlyMap<string, string>
const NOTHING_SHARED: Shared = new Map()

function typeOf(schema: Schema | boolean | undefined, depth: number, shared = NOTHING_SHARED): string {
  if (schema === undefined || typeof schema === 'boolean') return 'Json'
  const { description: _, ...shape } = schema
  const name = shared.get(JSON.stringify(shape))
  if (name) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, depth, shared)))].join(' | ')
  const { type } = schema as { type?: string | string[] }
  if (Array.isArray(type))
    return type.map((each) => typeOf({ ...schema, type: each } as Schema, depth, shared)).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return listOf(schema, depth, shared)
    case 'object':
      return objectOf(schema, depth, shared)
    default:
      return 'Json'
  }
}

function listOf({ items, prefixItems }: Schema, depth: number, shared: Shared): string {
  const tuple = prefixItems as Schema[] | undefined
  if (tuple) return `[${tuple.map((each) => typeOf(each, depth, shared)).join(', ')}]`
  const each = typeOf(Array.isArray(items) ? undefined : items, depth, shared)
  return / \| /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`
}

function objectOf(
  { properties, required = [], additionalProperties, propertyNames }: Schema,
  depth: number,
  shared: Shared,
): string {
  if (!properties) {
    const names = propertyNames && typeof propertyNames === 'object' ? typeOf(propertyNames, depth) : 'string'
    const of = typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth, shared) : 'Json'
    return names === 'string' ? `{ [name: string]: ${of} }` : `{ [name in ${names}]?: ${of} }`
  }
  const indent = '  '.repeat(depth + 1)
  const fields = Object.entries(properties).map(([name, each]) => {
    const type = typeOf(each, depth + 1, shared)
    const said =
      typeof each === 'object' && each.description
        ? `${indent}/** ${each.description.replaceAll('*/', '')} */\n`
        : ''
    const isNeeded = required.includes(name) || said.includes('/** Required; ')
    return `${said.replace('Required; ', '')}${indent}${name}${isNeeded ? '' : '?'}: ${type}`
  })
  return `{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`
}

if (import.meta.main) {
  const written = { 'types.ts': clientTypes(), 'routes.ts': routeTypes() }
  for (const [name, wanted] of Object.entries(written)) {
    const file = path.join(folder, name)
    const isSame = fs.existsSync(file) && fs.readFileSync(file, 'utf8') === wanted
    if (!process.argv.includes('--check')) fs.writeFileSync(file, wanted)
    else if (!isSame) {
      console.error(`src/client/${name} is not up to date: run \`node scripts/client-types.ts\``)
      process.exitCode = 1
    }
  }
}
