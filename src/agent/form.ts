import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { type Json, number, object, objects, string } from '../sources/json.ts'

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** One thing that a server wants to know. */
export const formField = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().optional(),
  type: z
    .enum(['string', 'number', 'integer', 'boolean', 'several'])
    .describe('`several` of `choices`, as many as wanted'),
  required: z.boolean(),
  choices: z.array(z.object({ value: z.string(), title: z.string() })).optional(),
  default: value.optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  least: z.number().optional().describe('Of a number, of the letters of a text, or of how many are chosen'),
  most: z.number().optional(),
})
export type FormField = z.output<typeof formField>

export const formContent = z.record(z.string(), value)
export type FormContent = z.output<typeof formContent>
export type FormValue = FormContent[string]

/** The fields of a form, as a server's schema has them; what is no plain field is left out. */
export function fieldsOf(schema: unknown): FormField[] {
  const { properties, required } = object(schema) ?? {}
  const needed = Array.isArray(required) ? required : []
  return Object.entries(object(properties) ?? {}).flatMap(([name, given]) => {
    const field = object(given)
    const type = field && typeOf(field)
    if (!field || !type) return []
    const choices = choicesIn(type === 'several' ? (object(field.items) ?? {}) : field)
    if (type === 'several' && choices.length === 0) return []
    const parsed = formField.safeParse({
      name,
      title: string(field.title) ?? name,
      description: string(field.description),
      type,
      required: needed.includes(name),
      ...(choices.length > 0 && { choices }),
      ...(value.safeParse(field.default).success && { default: field.default }),
      ...(formField.shape.format.safeParse(field.format).success && { format: field.format }),
      least: number(field.minimum) ?? number(field.minLength) ?? number(field.minItems),
      most: number(field.maximum) ?? number(field.maxLength) ?? number(field.maxItems),
    })
    return parsed.success ? [parsed.data] : []
  })
}

function typeOf({ type }: Json): FormField['type'] | undefined {
  if (type === 'array') return 'several'
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' ? type : undefined
}

/** With their titles, in any of the ways that a schema may have them. */
function choicesIn({ enum: listed, enumNames, oneOf, anyOf }: Json): { value: string; title: string }[] {
  if (Array.isArray(listed)) {
    const titles = Array.isArray(enumNames) ? enumNames : []
    return listed.flatMap((each, at) =>
      typeof each === 'string' ? [{ value: each, title: string(titles[at]) ?? each }] : [],
    )
  }
  return objects(oneOf ?? anyOf).flatMap((each) => {
    const chosen = string(each.const)
    return chosen === undefined ? [] : [{ value: chosen, title: string(each.title) ?? chosen }]
  })
}

/** What is wrong with a value, in a few words; nothing where it will do. */
export function problemOf(field: FormField, given: FormValue): string | undefined {
  const { type, choices, format, least = -Infinity, most = Infinity } = field
  const isChoice = (each: unknown) => choices?.some((choice) => choice.value === each) !== false
  const oneOf = `has to be one of: ${choices?.map(({ title }) => title).join(', ')}`
  switch (type) {
    case 'boolean':
      return typeof given === 'boolean' ? undefined : 'has to be yes or no'
    case 'several':
      if (!Array.isArray(given) || !given.every(isChoice)) return oneOf.replace('one', 'some')
      return given.length < least || given.length > most ? `has to be ${range(field)} of them` : undefined
    case 'string':
      if (typeof given !== 'string') return 'has to be a text'
      if (!isChoice(given)) return oneOf
      if (given.length < least || given.length > most) return `has to have ${range(field)} letters`
      return format && !isFormatted(given, format) ? `has to be ${FORMATS[format]}` : undefined
    default:
      if (typeof given !== 'number' || !Number.isFinite(given)) return 'has to be a number'
      if (type === 'integer' && !Number.isInteger(given)) return 'has to be a whole number'
      return given < least || given > most ? `has to be ${range(field)}` : undefined
  }
}

/** What was filled in, checked; throws by the name of the field. Fields that nobody asked for are left out. */
export function checkedContent(fields: FormField[], given: FormContent): FormContent {
  const content: FormContent = {}
  for (const field of fields) {
    const entered = Object.hasOwn(given, field.name) ? given[field.name] : undefined
    if (entered === undefined || entered === '') {
      if (field.required) throw invalid(field, 'is needed')
      continue
    }
    const problem = problemOf(field, entered)
    if (problem) throw invalid(field, problem)
    content[field.name] = entered
  }
  return content
}

const FORMATS = {
  email: 'an e-mail address',
  uri: 'an address such as https://example.com',
  date: 'a date such as 2026-01-31',
  'date-time': 'a time such as 2026-01-31T10:00:00Z',
}

function isFormatted(text: string, format: NonNullable<FormField['format']>): boolean {
  if (format === 'email') return /^[^\s@]+@[^\s@]+$/.test(text)
  if (format === 'uri') return URL.canParse(text)
  return (format === 'date' ? z.iso.date() : z.iso.datetime({ offset: true })).safeParse(text).success
}

function range({ least, most }: FormField): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`
  return least !== undefined ? `at least ${least}` : `at most ${most}`
}

function invalid({ name, title }: FormField, problem: string): RecollectError {
  return new RecollectError('INVALID_ARGUMENT', `${title} ${problem}.`, undefined, { field: name })
}
