import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { withReader } from '../source.ts'
import { machineAt, type Reading, readMachine, unitsOf } from '../test-kit.ts'
import { vscode as described } from './index.ts'

const vscode = await withReader(described)

export const FIXTURES = path.join(import.meta.dirname, 'fixtures')

/** What a person sees of a chat, in a line for each message. */
export function seen({ messages }: Reading, id: string): string[] {
  return messages[id]!.map((message) => {
    const tools = message.toolCalls?.map(({ server, tool }) => (server ? `${server}/${tool}` : tool))
    const marks = [
      message.kind,
      message.outcome,
      message.undone && 'undone',
      message.via && `via ${message.via}`,
      ...(tools ?? []),
    ]
    return `${marks.filter(Boolean).join(' ')}: ${message.text}`
  })
}

/** What is read of one workspace with these files. */
export function inWorkspace(files: Record<string, string | Buffer>): Reading {
  const folder = workspaceWith(files)
  const machine = machineAt('/nowhere')
  const source = { ...vscode, roots: () => [{ path: folder }] }
  try {
    assert.ok(unitsOf(source, machine).length > 0)
    return readMachine(source, machine)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** A `User` folder with one workspace of these files. */
export function workspaceWith(files: Record<string, string | Buffer>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-'))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, 'workspaceStorage/ws', name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
  return folder
}

export function stateDatabase(values: Record<string, string>): Buffer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-db-'))
  const file = path.join(folder, 'state.vscdb')
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
  const insert = db.prepare('INSERT INTO ItemTable VALUES (?, ?)')
  for (const [key, value] of Object.entries(values)) insert.run(key, value)
  db.close()
  const bytes = fs.readFileSync(file)
  fs.rmSync(folder, { recursive: true })
  return bytes
}
