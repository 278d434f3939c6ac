import { z } from 'zod'
import type { Archive } from '../archive/archive.ts'
import type { Capability } from '../capabilities/capability.ts'
import { ANYWHERE, type Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { assistantNamed } from './assistants.ts'
import type { Caller } from './caller.ts'
import { countsOf } from './coverage.ts'
import { MALFORMED } from './failure.ts'
import { allowed, meantBy } from './forgiving.ts'
import { endOf, inZone, type Span, spanOf, written } from './moments.ts'
import { cleanerFor } from './outgoing.ts'

/** What was given, as it was meant. */
export interface Read {
  input: unknown
  /** What was taken for what, and what matches nothing. */
  notes: string[]
}

type JsonSchema = z.core.JSONSchema.BaseSchema
type Given = Record<string, unknown>

/** The input of a capability out of what somebody gave; an error that says what is allowed. */
export async function inputOf(
  capability: Capability,
  given: Given,
  { archive, caller }: { archive: Archive; caller: Caller },
): Promise<Read> {
  const { properties = {}, required = [] } = schemaOf(capability)
  const clean = cleanerFor(archive, caller)
  const notes: string[] = []
  const said: Given = {}
  for (const [name, value] of Object.entries(withIds(given, properties))) {
    if (!Object.hasOwn(properties, name)) {
      if (value !== undefined && name !== 'cursor' && name !== 'max_chars')
        notes.push(unknown(name, properties, clean))
      continue
    }
    const wanted = properties[name]
    const meant = name === 'time_window' || value === null ? value : meantBy(value, wanted)
    if (!isNothing(meant, required.includes(name))) said[name] = meant
  }
  const isFilter = capability.set !== 'context'
  if (isFilter && 'time_window' in said) said.time_window = windowOf(said.time_window, notes, said.time_zone)
  readDays(said)
  if (isFilter && isNames(said.source) && 'source' in properties) {
    const named = await Promise.all([said.source].flat().map((each) => assistantNamed(archive, each)))
    const ids = named.map(({ id }) => id)
    said.source = typeof said.source === 'string' ? ids[0] : ids
    notes.push(...named.flatMap((each) => each.notes))
  }
  if (isFilter)
    notes.push(...(await emptyNotes(archive, said, clean)), ...(await timeNotes(archive, startOf(said))))
  const read = capability.input.safeParse(said)
  if (read.success) return { input: read.data, notes }
  throw malformed(capability, said, read.error, caller, clean)
}

/** `sessionId` and `chatId` are two words for the same thing: whichever is given is taken, for one chat or a list. */
const ID_NAMES = ['sessionId', 'chatId', 'chatIds', 'sessionIds']

function withIds(given: Given, properties: object): Given {
  const own = ID_NAMES.find((name) => name in properties)
  const other = ID_NAMES.find((name) => name !== own && !isNothing(given[name]))
  if (!own || !other || !isNothing(given[own])) return given
  const { [other]: said, ...rest } = given
  // A list of several is no id: the error says it.
  return { ...rest, [own]: own === 'chatIds' ? said : String(said) }
}

function isNames(given: unknown): given is string | string[] {
  return (
    typeof given === 'string' || (Array.isArray(given) && given.every((each) => typeof each === 'string'))
  )
}

/** Some models write null for what they leave out, and people an empty list or text. */
function isNothing(value: unknown, isRequired = false): boolean {
  if (value === null || value === undefined) return true
  if (isRequired) return false
  return value === '' || (Array.isArray(value) && value.length === 0)
}

const NAMED = new Set(['7d', '30d', '60d', '90d', 'all'])

/** A window as people write it; what is not written so in the contract is told as it was taken. */
function windowOf(given: unknown, notes: string[], zone: unknown): unknown {
  if (typeof given === 'string' && NAMED.has(given.trim())) return given.trim()
  const object = typeof given === 'string' ? meantBy(given, { type: 'object' }) : given
  if (typeof object === 'string') {
    const span = spanOf(object)
    if (span.start === undefined && span.end === undefined) return undefined
    if (!/^\d+\s*[hdwmy]$/.test(object.trim()))
      notes.push(
        `"${object}" was taken as ${written(span.start)} to ${span.end ? written(span.end) : 'now'}.`,
      )
    return inZone(span, zone, object)
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw new RecollectError(
      MALFORMED,
      'time_window is neither a span nor { start, end }.',
      'Give 7d, 30d, 90d, all, "last week" or { start, end }.',
    )
  const { start, end } = object as { start?: unknown; end?: unknown }
  return ordered({
    ...inZone({ start: sideOf(start, 'start') }, zone, start),
    ...inZone({ end: sideOf(end, 'end') }, zone, end),
  })
}

function sideOf(given: unknown, side: 'start' | 'end'): number | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given === 'string' || typeof given === 'number') return endOf(given, side)
  throw new RecollectError(MALFORMED, `${side} is not a date.`, 'Write a day as 2026-05-01.')
}

function ordered(span: Span): Span {
  if (span.start === undefined || span.end === undefined || span.start <= span.end) return span
  throw new RecollectError(
    MALFORMED,
    `The time begins (${written(span.start)}) after it ends (${written(span.end)}).`,
    'Exchange the two.',
  )
}

/** The other way to say a window. */
function readDays(said: Given): void {
  const { dateFrom, dateTo } = said
  if (dateFrom === undefined && dateTo === undefined) return
  const { start, end } = ordered({ start: sideOf(dateFrom, 'start'), end: sideOf(dateTo, 'end') })
  Object.assign(said, { dateFrom: start, dateTo: end })
}

const MOST_NAMED = 8

const NARROWING = {
  workspace: 'about the project',
  repository: 'about the repository',
  author: 'by',
  machine: 'of the machine',
  model: 'with the model',
} as const

/** Which of these filters match nothing, and what there is instead. */
async function emptyNotes(archive: Archive, said: Given, clean: Clean): Promise<string[]> {
  const notes: string[] = []
  for (const [name, words] of Object.entries(NARROWING) as [keyof typeof NARROWING, string][]) {
    const named = said[name]
    for (const given of isNames(named) ? [named].flat().slice(0, MOST_NAMED) : []) {
      const filter = name === 'model' ? { models: [given] } : { [name]: given }
      const [one] = await archive.listChats({ ...filter, subagents: true }, { limit: 1 })
      if (one) continue
      const known = (await knownOf(archive, name)).slice(0, MOST_NAMED)
      const there = known.map((each) => clean(each, ANYWHERE)).join(', ')
      notes.push(`No chat is ${words} "${clean(given).slice(0, 200)}"${there && `; there are ${there}`}.`)
    }
  }
  return notes
}

async function knownOf(archive: Archive, name: keyof typeof NARROWING): Promise<string[]> {
  if (name === 'model') return []
  if (name === 'workspace') return await archive.newestWorkspaces(MOST_NAMED)
  return (await archive.origins())[name].map((each) => each.name)
}

/** Since when something is asked for, where that is said. */
function startOf({ time_window: window, dateFrom }: Given): number | undefined {
  if (typeof window === 'string') return NAMED.has(window) ? spanOf(window).start : undefined
  const { start } = (window ?? {}) as Span
  return start ?? (typeof dateFrom === 'number' ? dateFrom : undefined)
}

async function timeNotes(archive: Archive, start: number | undefined): Promise<string[]> {
  if (start === undefined) return []
  const { sources } = await countsOf(archive)
  const newest = Math.max(...sources.map(({ newestAt = 0 }) => newestAt), 0)
  if (newest === 0 || newest >= start) return []
  return [`No chat is as new as ${written(start)}; the newest is of ${written(newest)}.`]
}

function unknown(name: string, properties: object, clean: Clean): string {
  const near = Object.keys(properties).find(
    (each) => plain(each).includes(plain(name)) || plain(name).includes(plain(each)),
  )
  return `There is no argument "${clean(name).slice(0, 60)}"${near ? `; "${near}" is one` : ''}: it was left out.`
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** In the words of the argument, not of the schema: which one, what it is, and what is allowed. */
function malformed(
  capability: Capability,
  said: Given,
  error: z.ZodError,
  { kind }: Caller,
  clean: Clean,
): RecollectError {
  const { properties = {} } = schemaOf(capability)
  const issues = error.issues.map(({ path, message }) => {
    const name = String(path[0] ?? '')
    const wanted = properties[name]
    const may = allowed(wanted)
    if (!(name in said)) return { path: name, message: `${name} is missing${may ? `: ${may}` : ''}` }
    const given = path.reduce<unknown>((each, step) => (each as Given)?.[step as string], said)
    const value = shortJson(clean({ [name]: given })[name])
    return { path: path.map(String).join('.'), message: `${name} is ${value}, but takes ${may ?? message}` }
  })
  const told = [...new Set(issues.map(({ message }) => message))].join('; ')
  const lead = kind === 'owner' ? '' : `Invalid arguments for ${capability.name}: `
  return new RecollectError(MALFORMED, `${lead}${told}.`, undefined, { issues })
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const schemas = new WeakMap<Capability, JsonSchema>()

function schemaOf(capability: Capability): JsonSchema {
  const known = schemas.get(capability) ?? z.toJSONSchema(capability.input, { io: 'input' })
  schemas.set(capability, known)
  return known
}
