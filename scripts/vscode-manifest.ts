/**
 * Writes the tools into the extension's manifest, from the list of capabilities, so that VS Code
 * offers what every other face offers. `--check` only says whether they are up to date.
 */
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { type Capability, writes } from '../src/capabilities/capability.ts'
import { capabilities } from '../src/capabilities/index.ts'
import { toolList } from '../src/mcp/tools.ts'
import { sources } from '../src/sources/index.ts'
import { TOOL_TEXTS, type ToolText } from '../vscode/manifest/tool-texts.ts'
import { REFERENCE_PREFIX, TOOL_PREFIX } from '../vscode/src/tools/names.ts'

const root = path.join(import.meta.dirname, '..')
const file = path.join(root, 'vscode', 'package.json')
/** What people read of the manifest, in English; other languages are in files beside it. */
const textsFile = path.join(root, 'vscode', 'package.nls.json')

export interface ToolEntry {
  name: string
  toolReferenceName: string
  canBeReferencedInPrompt: true
  displayName: string
  userDescription: string
  modelDescription: string
  icon: string
  tags: string[]
  when: string
  inputSchema: unknown
}

/** `contributes.languageModelTools`, one entry for each capability. */
export function toolEntries(): ToolEntry[] {
  return toolList(capabilities).map(({ name, inputSchema }) => {
    const capability = capabilities.find((each) => each.name === name)!
    const text = TOOL_TEXTS[name] ?? ownText(capability, inputSchema)
    const schema = shownSchema(name, inputSchema, text)
    return {
      name: `${TOOL_PREFIX}${name}`,
      toolReferenceName: `${REFERENCE_PREFIX}${name}`,
      canBeReferencedInPrompt: true,
      displayName: `%tool.${name}.title%`,
      userDescription: `%tool.${name}.about%`,
      modelDescription: modelDescription(text, schema),
      icon: text.icon,
      tags: ['recollect', capability.set, writes(capability) ? 'writes' : 'reads'],
      // One set of tools: where the server is offered, these are not.
      when: '!config.recollect.mcpServer',
      inputSchema: schema,
    }
  })
}

/** What a capability says of itself, where nobody has written a shorter text for the editor. */
function ownText({ title, description, output }: Capability, inputSchema: unknown): ToolText {
  const answers = schemaOfInput.parse(z.toJSONSchema(output, { unrepresentable: 'any' })).properties
  return {
    icon: '$(comment-discussion)',
    user: title,
    what: description,
    useWhen: 'this is what is wanted',
    returns: Object.keys(answers)
      .map((name) => `\`${name}\``)
      .join(', '),
    examples: [],
    shows: Object.keys(schemaOfInput.parse(inputSchema).properties),
  }
}

/** The texts that the entries refer to. */
function toolTexts(): Record<string, string> {
  const texts = toolList(capabilities).flatMap(({ name, title = name }) => [
    [`tool.${name}.title`, title],
    [`tool.${name}.about`, TOOL_TEXTS[name]?.user ?? title],
  ])
  return Object.fromEntries(texts)
}

interface ShownSchema {
  type: 'object'
  properties: Record<string, Record<string, unknown>>
  required?: string[]
}

const schemaOfInput = z.looseObject({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
})

/** The parameters that are worth naming, each as one type. What is not named is taken as well: the gate reads the input. */
function shownSchema(name: string, inputSchema: unknown, { shows }: ToolText): ShownSchema {
  const { properties, required } = schemaOfInput.parse(inputSchema)
  const unknown = shows.filter((each) => !(each in properties))
  if (unknown.length > 0) throw new Error(`${name} does not take ${unknown.join(', ')}`)
  const stated = shows.filter((each) => String(properties[each]!.description).startsWith('Required; '))
  const needed = [...required, ...stated]
  return {
    type: 'object',
    properties: Object.fromEntries(shows.map((each) => [each, oneType(each, properties[each]!)])),
    ...(needed.length > 0 && { required: needed }),
  }
}

/** Said nowhere else in so few words. */
const NOTES: Record<string, string> = {
  time_window: '7d, 90d, all, "last week"',
  query: 'Words or "a phrase"',
  sessionId: 'Default: this dialog',
}
const NEEDLESS = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'description',
])

function oneType(name: string, schema: Record<string, unknown>): Record<string, unknown> {
  const type = Array.isArray(schema.anyOf) ? { type: 'string' } : slimmed(schema)
  return { ...type, ...(NOTES[name] && { description: NOTES[name] }) }
}

function slimmed(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !NEEDLESS.has(key))
      .map(([key, value]) => [key, key === 'items' ? slimmed(value as Record<string, unknown>) : value]),
  )
}

function modelDescription({ what, useWhen, returns, examples }: ToolText, { required }: ShownSchema): string {
  const needed = required ? `${required.map((each) => `\`${each}\``).join(', ')} required` : 'all optional'
  const shown = examples.map(
    (input) => `- With${Object.keys(input).length > 0 ? '' : 'out'}: ${JSON.stringify(input)}`,
  )
  return [
    what,
    `**Use this tool when:**\n- ${useWhen}`,
    `**Parameters:** ${needed}`,
    `**Returns:** ${returns}`,
    ...(shown.length > 0 ? [`**Example usage scenarios:**\n${shown.join('\n')}`] : []),
  ].join('\n')
}

interface Manifest {
  version: string
  contributes: Record<string, unknown>
}

function updated(text: string): string {
  const manifest = JSON.parse(text) as Manifest
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest
  manifest.version = version
  manifest.contributes.languageModelTools = toolEntries()
  manifest.contributes.configuration = withSourceNames(manifest.contributes.configuration)
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** The setting offers every assistant by its name. */
function withSourceNames(configuration: unknown): unknown {
  const { properties, ...rest } = configuration as { properties: Record<string, object> }
  const names = sources.map(({ id, name }) => [id, { type: 'boolean', default: false, description: name }])
  const setting = { ...properties['recollect.sources'], properties: Object.fromEntries(names) }
  return { ...rest, properties: { ...properties, 'recollect.sources': setting } }
}

function updatedTexts(text: string): string {
  const texts = Object.entries(JSON.parse(text) as Record<string, string>)
  const others = texts.filter(([key]) => !key.startsWith('tool.'))
  return `${JSON.stringify({ ...Object.fromEntries(others), ...toolTexts() }, null, 2)}\n`
}

if (import.meta.main) {
  const files = [
    { file, updated },
    { file: textsFile, updated: updatedTexts },
  ].map((each) => {
    const text = fs.readFileSync(each.file, 'utf8')
    const wanted = each.updated(text)
    const isSame = JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(wanted))
    return { file: each.file, wanted, isSame }
  })
  const isSame = files.every((each) => each.isSame)
  if (!process.argv.includes('--check'))
    for (const { file: target, wanted } of files) fs.writeFileSync(target, wanted)
  else if (!isSame) {
    console.error(
      'vscode/package.json does not list the tools as they are: run `node scripts/vscode-manifest.ts`',
    )
    process.exitCode = 1
  }
  console.log(`${toolEntries().length} tools${isSame ? ', unchanged' : ''}`)
}
