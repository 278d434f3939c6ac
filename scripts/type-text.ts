/** Types as TypeScript writes them, from JSON schemas: shapes that occur in several places get a name and are written once. */
import { z } from 'zod'

export type Schema = z.core.JSONSchema.BaseSchema

/** The names of shapes, by their schemas without the words about them. */
export type Shapes = ReadonlyMap<string, string>

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

/** Of a schema that is a shape itself, whatever it is called: `{ … }`. */
export function shapeText(key: string, shapes: Shapes): string {
  return objectOf(JSON.parse(key) as Schema, 0, shapes)
}

export function typeOf(schema: Schema | boolean | undefined, depth: number, shapes: Shapes): string {
  if (schema === undefined || typeof schema === 'boolean') return 'Json'
  const name = shapes.get(keyOf(schema))
  if (name) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, depth, shapes)))].join(' | ')
  const { type } = schema as { type?: string | string[] }
  if (Array.isArray(type))
    return type.map((each) => typeOf({ ...schema, type: each } as Schema, depth, shapes)).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return listOf(schema, depth, shapes)
    case 'object':
      return objectOf(schema, depth, shapes)
    default:
      return 'Json'
  }
}

const FEWEST_FIELDS = 3

interface Found {
  times: number
  /** Of the place where it was found first: its name and the fields on the way. */
  words: string[]
}

/** The objects of a few fields and more, by their schemas. */
export function objectsIn(places: { name: string; schema: Schema }[]): Map<string, Found> {
  const found = new Map<string, Found>()
  const look = (schema: unknown, words: string[]) => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, items, anyOf = [], additionalProperties } = schema as Schema
    const key = keyOf(schema as Schema)
    const known = found.get(key)
    if (Object.keys(properties).length >= FEWEST_FIELDS)
      found.set(key, { times: (known?.times ?? 0) + 1, words: known?.words ?? words })
    // What is in one that is shared is written once with it.
    if (known) return
    for (const [name, each] of Object.entries(properties)) look(each, [...words, name])
    for (const each of anyOf) look(each, words)
    // Of `chats` each is a `Chat`.
    for (const each of [items, additionalProperties]) look(each, words.with(-1, singular(words.at(-1)!)))
  }
  for (const { name, schema } of places) look(schema, [name])
  return found
}

/** Those that several places have: named after their field, told apart by what they are in, or after the whole. */
export function sharedShapes(objects: Map<string, Found>): Shapes {
  const names = new Map<string, string>()
  for (const [key, { times, words }] of objects) {
    if (times < 2) continue
    const candidates = words.map((_, at) =>
      words
        .slice(-1 - at)
        .map(typeName)
        .join(''),
    )
    const name = candidates.find((each) => ![...names.values()].includes(each))
    if (!name) throw new Error(`two shapes would be called ${candidates.at(-1)}`)
    names.set(key, name)
  }
  return names
}

function keyOf(schema: Schema): string {
  const { description: _, $schema: __, ...shape } = schema
  return JSON.stringify(shape)
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<=ch)es$|(?<=[^s])s$/, '')
}

function typeName(word: string): string {
  return word.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function listOf({ items, prefixItems }: Schema, depth: number, shapes: Shapes): string {
  const tuple = prefixItems as Schema[] | undefined
  if (tuple) return `[${tuple.map((each) => typeOf(each, depth, shapes)).join(', ')}]`
  const each = typeOf(Array.isArray(items) ? undefined : items, depth, shapes)
  return / \| /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`
}

function objectOf(
  { properties, required = [], additionalProperties, propertyNames }: Schema,
  depth: number,
  shapes: Shapes,
): string {
  if (!properties) {
    const names =
      propertyNames && typeof propertyNames === 'object' ? typeOf(propertyNames, depth, shapes) : 'string'
    const of = typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth, shapes) : 'Json'
    return names === 'string' ? `{ [name: string]: ${of} }` : `{ [name in ${names}]?: ${of} }`
  }
  const indent = '  '.repeat(depth + 1)
  const fields = Object.entries(properties).map(([name, each]) => {
    const type = typeOf(each, depth + 1, shapes)
    const said =
      typeof each === 'object' && each.description
        ? `${indent}/** ${each.description.replaceAll('*/', '')} */\n`
        : ''
    const isNeeded = required.includes(name) || said.includes('/** Required; ')
    return `${said.replace('Required; ', '')}${indent}${name}${isNeeded ? '' : '?'}: ${type}`
  })
  return `{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`
}
