import fs from 'node:fs'
import path from 'node:path'
import { parseDocument } from 'yaml'
import { millis, object } from '../json.ts'
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
  const text = smallFile(path.join(folder, 'workspace.yaml'), MAX_YAML)
  const fields = text === undefined ? undefined : object(yaml(text))
  if (!fields) return {}
  return {
    title: scalar(fields.name) ?? scalar(fields.summary),
    folder: scalar(fields.cwd) ?? scalar(fields.git_root),
    repository: scalar(fields.repository),
    branch: scalar(fields.branch),
    createdAt: millis(fields.created_at),
    updatedAt: millis(fields.updated_at),
  }
}

/** Looks checkpoint files up in `checkpoints/index.md`, a table of number, title and file name. */
export function checkpointsOf(folder: string): CheckpointText {
  return (checkpoint) => {
    const index = smallFile(path.join(folder, 'checkpoints', 'index.md'), MAX_MARKDOWN)
    for (const row of index?.split('\n') ?? []) {
      const cells = row.split('|').map((cell) => cell.trim())
      const file = cells.at(-2)
      if (cells[1] !== String(checkpoint) || !file || !/^[^\\/]+\.md$/.test(file)) continue
      return smallFile(path.join(folder, 'checkpoints', file), MAX_MARKDOWN)?.trim() || undefined
    }
    return undefined
  }
}

function yaml(text: string): unknown {
  try {
    return parseDocument(text, { logLevel: 'silent' }).toJS({ maxAliasCount: 10 })
  } catch {
    return undefined
  }
}

function scalar(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text.slice(0, 1000)
}

function smallFile(file: string, limit: number): string | undefined {
  try {
    return fs.statSync(file).size <= limit ? fs.readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}
