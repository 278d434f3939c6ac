/**
 * Writes the tools into the extension's manifest, from the list of capabilities, so that VS Code
 * offers what every other face offers. `--check` only says whether they are up to date.
 */
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { writes } from '../src/capabilities/capability.ts'
import { capabilities } from '../src/capabilities/index.ts'
import { toolList } from '../src/mcp/tools.ts'
import { TOOL_TEXTS, type ToolText } from '../vscode/manifest/tool-texts.ts'
import { REFERENCE_PREFIX, TOOL_PREFIX } from '../vscode/src/tools/names.ts'

const root = path.join(import.meta.dirname, '..')
const file = path.join(root, 'vscode', 'package.json')

export interface ToolEntry {
  name: string
  toolReferenceName: string
  canBeReferencedInPrompt: true
  displayName: string
  userDescription: string
  modelDescription: string
  icon: string
  tags: string[]
  inputSchema: unknown
}

/** `contributes.languageModelTools`, one entry for each capability. */
export function toolEntries(): ToolEntry[] {
  return toolList(capabilities).map(({ name, title = name, description = '', inputSchema }) => {
    const text = TOOL_TEXTS[name]
    if (!text) throw new Error(`vscode/manifest/tool-texts.ts says nothing about ${name}`)
    const capability = capabilities.find((each) => each.name === name)!
    return {
      name: `${TOOL_PREFIX}${name}`,
      toolReferenceName: `${REFERENCE_PREFIX}${name}`,
      canBeReferencedInPrompt: true,
      displayName: title,
      userDescription: text.user,
      modelDescription: modelDescription(description, inputSchema, text),
      icon: text.icon,
      tags: ['recollect', capability.set, writes(capability) ? 'writes' : 'reads'],
      inputSchema,
    }
  })
}

const parameter = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
})
const schemaOfInput = z.looseObject({
  properties: z.record(z.string(), parameter).default({}),
  required: z.array(z.string()).default([]),
})

function modelDescription(description: string, inputSchema: unknown, text: ToolText): string {
  const examples = text.examples.map(([asked, input]) => {
    const given = Object.keys(input).length > 0 ? 'With' : 'Without'
    return `- ${given} parameters: "${asked}" → \`${JSON.stringify(input)}\``
  })
  return [
    description,
    `**Use this tool when:**\n${text.useWhen.map((when) => `- ${when}`).join('\n')}`,
    `**Parameters:**\n${parameters(inputSchema)}`,
    `**Returns:**\n${text.returns}`,
    `**Example usage scenarios:**\n${examples.join('\n')}`,
  ].join('\n\n')
}

/** What every reading tool takes. */
const PAGING: Record<string, string> = {
  cursor: 'where the answer before ended',
  max_chars: 'size of the answer in characters',
}

/** The schema says the rest: what a model has to know is which there are and what must be given. */
function parameters(inputSchema: unknown): string {
  const { properties, required } = schemaOfInput.parse(inputSchema)
  const lines = Object.entries(properties).map(([name, { type, description, enum: words }]) => {
    const kind = words?.join(' | ') ?? type ?? 'any'
    // What a handler checks itself is not in `required`, but says so.
    const stated = description?.startsWith('Required; ')
    const need = stated || required.includes(name) ? 'required' : 'optional'
    const said = description?.replace('Required; ', '') ?? PAGING[name]
    return `- \`${name}\` (${kind}, ${need})${said ? `: ${said}` : ''}`
  })
  return lines.length > 0 ? lines.join('\n') : 'None.'
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
  return `${JSON.stringify(manifest, null, 2)}\n`
}

if (import.meta.main) {
  const text = fs.readFileSync(file, 'utf8')
  const wanted = updated(text)
  const isSame = JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(wanted))
  if (!process.argv.includes('--check')) fs.writeFileSync(file, wanted)
  else if (!isSame) {
    console.error(
      'vscode/package.json does not list the tools as they are: run `node scripts/vscode-manifest.ts`',
    )
    process.exitCode = 1
  }
  console.log(`${toolEntries().length} tools${isSame ? ', unchanged' : ''}`)
}
