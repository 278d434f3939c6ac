/** Types as TypeScript writes them, from JSON schemas: shapes that occur in several places get a name and are written once. */
import { z } from 'zod'

export type Schema = z.core.JSONSchema.BaseSchema

export interface Shapes {
  /** What is written once, by what it is without the words about it. */
  named: ReadonlyMap<string, { name: string; schema: Schema }>
  /** The one that has most of the fields of another. */
  bases: ReadonlyMap<string, string>
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

export function typeOf(schema: Schema | boolean | undefined, depth: number, shapes: Shapes): string {
  if (schema === undefined || typeof schema === 'boolean') return 'Json'
  const shape = shapes.named.get(keyOf(schema))
  if (shape) return shape.name
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
  schema: Schema
}

/** The objects of a few fields and more, by what they are without the words about them. */
export function objectsIn(places: { name: string; schema: Schema }[]): Map<string, Found> {
  const found = new Map<string, Found>()
  const look = (schema: unknown, words: string[]) => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, items, anyOf = [], additionalProperties } = schema as Schema
    const key = keyOf(schema as Schema)
    const known = found.get(key)
    if (Object.keys(properties).length >= FEWEST_FIELDS)
      found.set(key, { words, schema: schema as Schema, ...known, times: (known?.times ?? 0) + 1 })
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

/**
 * What is written once: what several places have, what others are made of, and the `parts` that have
 * a name in the code. Named after its field, told apart by what it is in, or after the whole.
 */
export function sharedShapes(objects: Map<string, Found>, parts: Map<string, Found>): Shapes {
  const all = new Map([...parts, ...objects])
  const bases = chosenBases(all, new Set(parts.keys()))
  const used = new Set([...objects.keys()].map((key) => bases.get(key)))
  const named = new Map<string, { name: string; schema: Schema }>()
  const taken = new Set<string>()
  for (const [key, { words, schema }] of all) {
    const times = objects.get(key)?.times ?? 0
    if (times < 2 && !used.has(key) && !(times && parts.has(key))) continue
    const ofCode = parts.get(key)?.words ?? words
    const candidates = ofCode.map((_, at) =>
      ofCode
        .slice(-1 - at)
        .map(typeName)
        .join(''),
    )
    const name = candidates.find((each) => !taken.has(each))
    if (!name) throw new Error(`two shapes would be called ${candidates.at(-1)}`)
    taken.add(name)
    named.set(key, { name, schema })
  }
  return { named, bases }
}

/** Less of a part that has a name: it is no accident. */
const FEWEST_SHARED = { part: 4, other: 6 }
const MOST_LEFT_OUT = 3

/** Each is made of one that was found before it, so that none is made of itself. */
function chosenBases(all: Map<string, Found>, parts: Set<string>): Map<string, string> {
  const bases = new Map<string, string>()
  const before: { key: string; fields: Set<string> }[] = []
  for (const [key, { schema }] of all) {
    const fields = fieldsOf(schema).map(({ text }) => text)
    const [best] = before
      .map((base) => ({ ...base, shared: fields.filter((each) => base.fields.has(each)).length }))
      .filter(({ shared, fields: { size }, key: base }) =>
        parts.has(base)
          ? shared >= FEWEST_SHARED.part
          : shared >= FEWEST_SHARED.other && size - shared <= MOST_LEFT_OUT,
      )
      .toSorted((a, b) => 2 * b.shared - b.fields.size - (2 * a.shared - a.fields.size))
    if (best) bases.set(key, best.key)
    before.push({ key, fields: new Set(fields) })
  }
  return bases
}

const NONE: Shapes = { named: new Map(), bases: new Map() }
const keys = new WeakMap<Schema, string>()

function keyOf(schema: Schema): string {
  const known = keys.get(schema)
  if (known !== undefined) return known
  // Before it is known, as it is asked again on the way.
  keys.set(schema, '')
  const key = typeOf(schema, 0, NONE).replace(/^ *\/\*\* .* \*\/\n/gm, '')
  keys.set(schema, key)
  return key
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
  return /^[^{]* [|&] /.test(each) ? `(${each})[]` : `${each}[]`
}

/** Of an object, whether it has a name or not. */
export function objectOf(schema: Schema, depth: number, shapes: Shapes): string {
  const { properties, additionalProperties, propertyNames } = schema
  if (!properties) {
    const names =
      propertyNames && typeof propertyNames === 'object' ? typeOf(propertyNames, depth, shapes) : 'string'
    const of = typeof additionalProperties === 'object' ? typeOf(additionalProperties, depth, shapes) : 'Json'
    return names === 'string' ? `{ [name: string]: ${of} }` : `{ [name in ${names}]?: ${of} }`
  }
  const base = shapes.named.get(shapes.bases.get(keyOf(schema)) ?? '')
  const { name, has } = base ? takenFrom(base, schema) : { name: '', has: new Set() }
  const indent = '  '.repeat(depth + 1)
  const fields = fieldsOf(schema)
    .filter(({ text }) => !has.has(text))
    .map(({ said, label, of }) => {
      const words = said && `${indent}/** ${said} */\n`
      return `${words}${indent}${label}: ${typeOf(of, depth + 1, shapes)}`
    })
  if (name && !fields.length) return name
  return `${name && `${name} & `}{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`
}

/** What of it another is made of, as it is written, and which fields that brings. */
function takenFrom(base: { name: string; schema: Schema }, schema: Schema) {
  const wanted = new Set(fieldsOf(schema).map(({ text }) => text))
  const [has = [], left = []] = partition(fieldsOf(base.schema), ({ text }) => wanted.has(text))
  const listed = (some: Field[]) => some.map(({ label }) => `'${label.replace('?', '')}'`).join(' | ')
  const name = !left.length
    ? base.name
    : left.length <= MOST_LEFT_OUT
      ? `Omit<${base.name}, ${listed(left)}>`
      : `Pick<${base.name}, ${listed(has)}>`
  return { name, has: new Set(has.map(({ text }) => text)) }
}

function partition<T>(all: T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}

interface Field {
  /** Its name, with a question mark where it may be missing. */
  label: string
  /** What is said of it. */
  said: string
  /** The whole of it. */
  text: string
  of: Schema | boolean
}

function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, of]) => {
    const words = (typeof of === 'object' && of.description?.replaceAll('*/', '')) || ''
    const isNeeded = required.includes(name) || words.startsWith('Required; ')
    const label = `${name}${isNeeded ? '' : '?'}`
    const said = words.replace('Required; ', '')
    const text = `${label}: ${typeof of === 'boolean' ? 'Json' : keyOf(of)} ${said}`
    return { label, said, text, of }
  })
}
