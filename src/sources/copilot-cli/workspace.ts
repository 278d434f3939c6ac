import path from 'node:path'
import { CST, Parser } from 'yaml'
import { smallText } from '../../platform/small-text.ts'
import { millis } from '../json.ts'
import type { CheckpointText } from './moment.ts'

/** What `workspace.yaml` beside a transcript says of the session. */
export interface Workspace {
  title?: string
  folder?: string
  repository?: string
  branch?: string
  createdAt?: number
  updatedAt?: number
}

const MAX_YAML = 64 * 1024
const MAX_MARKDOWN = 1024 * 1024

/** Rewritten by the CLI at any time, so half of it may be there: what can be read counts. */
export function readWorkspace(folder: string): Workspace {
  const text = smallText(path.join(folder, 'workspace.yaml'), MAX_YAML)
  const fields = text === undefined ? new Map<string, string>() : fieldsOf(text)
  const field = (name: string) => fields.get(name)?.trim().slice(0, 1000) || undefined
  return {
    title: field('name') ?? field('summary'),
    folder: field('cwd') ?? field('git_root'),
    repository: field('repository'),
    branch: field('branch'),
    createdAt: millis(field('created_at')),
    updatedAt: millis(field('updated_at')),
  }
}

/** Looks checkpoint files up in `checkpoints/index.md`, a table of number, title and file name. */
export function checkpointsOf(folder: string): CheckpointText {
  return (checkpoint) => {
    const index = smallText(path.join(folder, 'checkpoints', 'index.md'), MAX_MARKDOWN)
    for (const row of index?.split('\n') ?? []) {
      const cells = row.split('|').map((cell) => cell.trim())
      const file = cells.at(-2)
      if (cells[1] !== String(checkpoint) || !file || !/^[^\\/]+\.md$/.test(file)) continue
      return smallText(path.join(folder, 'checkpoints', file), MAX_MARKDOWN)?.trim() || undefined
    }
    return undefined
  }
}

/**
 * The fields of the file that are one text each. By the library's tokens: they are there also of a file that is
 * damaged further on, and the rest of the library, for documents of any shape, is not loaded for it.
 */
function fieldsOf(text: string): Map<string, string> {
  const plain = plainFieldsOf(text)
  if (plain) return plain
  const fields = new Map<string, string>()
  for (const { type, value } of documents(text)) {
    if (type !== 'document' || value?.type !== 'block-map') continue
    for (const item of value.items) {
      const [name, said] = [scalar(item.key), scalar(item.value)]
      if (name !== undefined && said !== undefined) fields.set(name, said)
    }
  }
  return fields
}

/** A name, and words that mean themselves in YAML: no quote in quotes, no escape, no comment, nothing that goes on in the next line. */
const PLAIN_FIELD = /^([A-Za-z_]\w*): (?:"([^"\\]*)"|([\w/](?:[\w/.@+~()-]|:(?=[\w/])| (?=[\w/(]))*))$/

/**
 * The fields of a file as the CLI itself writes them; undefined where a line is of any other kind. There is such a file beside every
 * transcript, and the library takes a third of a millisecond for it, as long as dozens of messages take.
 */
function plainFieldsOf(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  for (const line of (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')) {
    const field = PLAIN_FIELD.exec(line)
    if (!field) return undefined
    const [, name, quoted, said] = field
    if (quoted !== undefined) fields.set(name!, quoted)
    else if (!/^null$/i.test(said!)) fields.set(name!, said!)
  }
  return fields
}

function documents(text: string): CST.Document[] {
  try {
    return [...new Parser().parse(text)].filter((token) => token.type === 'document')
  } catch {
    return []
  }
}

/** Nothing where it is no text, or YAML's word for nothing. */
function scalar(token: CST.Token | null | undefined): string | undefined {
  if (!token || !CST.isScalar(token)) return undefined
  const found = CST.resolveAsScalar(token as CST.FlowScalar | CST.BlockScalar, false, () => {})
  return found && !(found.type === 'PLAIN' && /^(~|null|)$/i.test(found.value)) ? found.value : undefined
}
