/**
 * Writes src/client/generated/: what every capability takes and answers, for the page and for other
 * programs, and what the other addresses of the REST interface answer, for the page. Shapes that
 * several have are written once. `--check` says whether all of it is up to date.
 */
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { chosen, narrowing, origin } from '../src/capabilities/fields.ts'
import { allCapabilities, capabilities } from '../src/capabilities/index.ts'
import * as answerParts from '../src/capabilities/shapes.ts'
import { allRoutes } from '../src/http/routes.ts'
import {
  jsonSchema,
  objectOf,
  objectsIn,
  type Schema,
  type Shapes,
  sharedShapes,
  typeOf,
} from './type-text.ts'

const client = path.join(import.meta.dirname, '..', 'src', 'client')
const folder = path.join(client, 'generated')

interface Place {
  /** The file that it is in: the set of a capability, the tag of a route. */
  group: string
  /** In the interface that has it. */
  field: string
  /** What a shape is called that is the whole of it. */
  name: string
  schema: Schema
}

/** The files of src/client/generated, by name. */
export function generatedTypes(): Record<string, string> {
  const inputs = capabilities.map(({ name, set, input }) => ({
    group: set,
    field: name,
    name: `${name}_input`,
    schema: jsonSchema(input, 'input'),
  }))
  const answers = allCapabilities.map(({ name, set, output }) => ({
    group: set,
    field: name,
    name: `${name}_answer`,
    schema: jsonSchema(output, 'output'),
  }))
  const routes = otherRoutes()
  const shapes = sharedShapes(objectsIn([...inputs, ...answers, ...routes]), objectsIn(namedParts()))
  const objects = [...objectsIn([...inputs, ...answers]).keys()]
  const ofCapabilities = new Set(objects.flatMap((key) => [key, ...basesOf(key, shapes)]))
  const files: Record<string, string> = {
    'shapes.ts': `${JSON_TYPE}\n${shapeTypes(shapes, (key) => ofCapabilities.has(key))}`,
    'route-shapes.ts': shapeTypes(shapes, (key) => !ofCapabilities.has(key)),
    ...interfaces('Inputs', 'What each capability takes.', inputs, shapes),
    ...interfaces('Answers', 'What each capability answers.', answers, shapes),
    ...interfaces(
      'Routes',
      'What each address of the REST interface answers, besides those of capabilities.',
      routes,
      shapes,
    ),
  }
  return linked(files)
}

/** The declarations of the package's client, in one file. */
export function clientDeclarations(): string {
  const files = Object.entries(generatedTypes()).filter(([file]) => !/route/.test(file))
  const byHand = fs.readFileSync(path.join(client, 'types.ts'), 'utf8')
  const texts = [...files.map(([, text]) => text), byHand].map((text) =>
    text.replace(/^(?:import|export) type \{.*\n|^\/\/.*\n/gm, '').trim(),
  )
  return `${texts.join('\n\n')}

/** The capabilities of a running \`recollect serve\`, typed. */
export declare function recollect(options: ClientOptions): Client
`
}

const JSON_TYPE = 'export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }\n'

/** What it is made of, and what that is made of. */
function basesOf(key: string, shapes: Shapes): string[] {
  const base = shapes.bases.get(key)
  return base ? [base, ...basesOf(base, shapes)] : []
}

/** What has a name in the code of the capabilities. */
function namedParts() {
  const fields = { narrowing: z.object({ ...narrowing, ...origin }), chosen: z.object(chosen) }
  const named = { ...answerParts, askedChat: z.object(answerParts.askedChat) }
  return [fields, named].flatMap((parts) =>
    Object.entries<unknown>(parts).flatMap(([name, given]) => {
      const part: unknown = typeof given === 'function' ? given() : given
      return part instanceof z.ZodObject ? [{ name, schema: jsonSchema(part, 'output') }] : []
    }),
  )
}

/** Those that are no capabilities. */
function otherRoutes(): Place[] {
  return allRoutes(capabilities, '').flatMap(({ method, path: at, tag, answer }) => {
    if (!answer || tag === 'capabilities' || at === '/openapi.json') return []
    const lastWords = at.match(/\/([a-z-]+)(?:\/\{\w+\})*$/)?.[1]
    return [
      {
        group: tag,
        field: `'${method.toUpperCase()} ${at}'`,
        name: `${lastWords}_answer`,
        schema: jsonSchema(answer, 'output'),
      },
    ]
  })
}

/** One of them for each group, in a file of its own, and one that has them all. */
function interfaces(name: string, said: string, places: Place[], shapes: Shapes): Record<string, string> {
  const files: Record<string, string> = {}
  const parts: string[] = []
  for (const [group, some] of Map.groupBy(places, (place) => place.group)) {
    const part = `${group.charAt(0).toUpperCase()}${group.slice(1)}${name}`
    const fields = some.map(({ field, schema }) => `  ${field}: ${typeOf(schema, 1, shapes)}\n`)
    files[`${group}-${name.toLowerCase()}.ts`] = `export interface ${part} {\n${fields.join('')}}\n`
    parts.push(part)
  }
  const whole = `/** ${said} */\nexport interface ${name} extends ${parts.join(', ')} {}\n`
  return { ...files, [`${name.toLowerCase()}.ts`]: whole }
}

function shapeTypes(shapes: Shapes, isWanted: (key: string) => boolean): string {
  return [...shapes.named]
    .filter(([key]) => isWanted(key))
    .map(([, { name, schema }]) => `export type ${name} = ${objectOf(schema, 0, shapes)}\n`)
    .join('\n')
}

/** Each with the imports that it needs, and without exports that nobody does. */
function linked(files: Record<string, string>): Record<string, string> {
  const homes = Object.entries(files).flatMap(([home, text]) =>
    [...text.matchAll(/^export type (\w+)|^export interface (\w+)/gm)].map(([, shape, whole]) => ({
      home,
      name: shape ?? whole ?? '',
    })),
  )
  const needed = (file: string) => {
    const code = (files[file] ?? '').replace(/\/\*\*.*?\*\/|"[^"]*"|'[^']*'/g, '')
    return homes.filter(
      ({ home, name }) => home !== file && new RegExp(`(?:[:|=(,] |extends |[(<])${name}\\b`).test(code),
    )
  }
  const taken = new Set(Object.keys(files).flatMap((file) => needed(file).map(({ name }) => name)))
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const imports = [...Map.groupBy(needed(file), ({ home }) => home)]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([home, all]) => `import type { ${all.map(({ name }) => name).join(', ')} } from './${home}'\n`)
      const own = text.replace(/^export (?=type (\w+))/gm, (said, name) => (taken.has(name) ? said : ''))
      return [file, `${HEAD}${imports.join('')}\n${own}`]
    }),
  )
}

const HEAD = '// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.\n'

if (import.meta.main) {
  const wanted = generatedTypes()
  const present = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  const isSame = (name: string) =>
    present.includes(name) && fs.readFileSync(path.join(folder, name), 'utf8') === wanted[name]
  const stale = [...new Set([...Object.keys(wanted), ...present])].filter(
    (name) => !wanted[name] || !isSame(name),
  )
  if (process.argv.includes('--check')) {
    for (const name of stale)
      console.error(`src/client/generated/${name} is not up to date: run \`node scripts/client-types.ts\``)
    if (stale.length) process.exitCode = 1
  } else {
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(wanted)) fs.writeFileSync(path.join(folder, name), text)
  }
}
