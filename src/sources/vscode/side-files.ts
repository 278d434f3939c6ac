import fs from 'node:fs'
import path from 'node:path'
import type { ChatStatus } from '../../model/chat.ts'
import { openForeignDatabase } from '../foreign-db.ts'
import { type Json, number, object, words } from '../json.ts'
import { readJson } from '../lines.ts'
import { firstWindow } from './places.ts'
import { STATES } from './turn.ts'
import { workspacePath } from './uri.ts'

const SMALL = 64 * 1024

/** Where our own extension notes the same in its part of the storage, for the servers that do not. */
const OWN_NOTE = path.join('recollect.recollect-vscode', 'workspace.json')

/**
 * The folder or workspace file that a folder of `workspaceStorage` belongs to. VS Code writes
 * `workspace.json`; a server's extension host writes `meta.json`, which names it only for a
 * multi-root workspace. A `-1` … `-9` at the end is a second window on the same workspace.
 */
export function workspaceOf(folder: string): string | undefined {
  for (const place of new Set([folder, firstWindow(folder)])) {
    for (const file of ['workspace.json', 'meta.json', OWN_NOTE]) {
      const { folder: single, workspace, configuration } = smallJson(path.join(place, file))
      const found = workspacePath(single ?? workspace ?? configuration)
      if (found) return found
    }
  }
  return undefined
}

/** The folder's name alone: all that `meta.json` says where one folder is open on a server. */
export function folderNameOf(folder: string): string | undefined {
  for (const place of new Set([folder, firstWindow(folder)])) {
    const name = words(smallJson(path.join(place, 'meta.json')).name)
    if (name) return name.replace(/ \(Workspace\)$/, '')
  }
  return undefined
}

export interface IndexEntry {
  title?: string
  status?: ChatStatus
}

/** What VS Code's own list of chats says about one: its title may be nowhere else. */
export function indexEntry(database: string, id: string): IndexEntry {
  const entries = indexOf(database)
  const entry = Object.hasOwn(entries, id) ? object(entries[id]) : undefined
  return { title: words(entry?.title), status: STATES[number(entry?.lastResponseState) ?? -1] }
}

/** The value of one key of a `state.vscdb`. Throws when it cannot be opened. */
export function storedValue(database: string, key: string): string | undefined {
  const db = openForeignDatabase(database)
  try {
    const value = db.prepare('SELECT value FROM ItemTable WHERE key = ?').get(key)?.value
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
    return typeof value === 'string' ? value : undefined
  } finally {
    db.close()
  }
}

/** A workspace has many chats and one list, so the lists last looked at are kept. */
const lists = new Map<string, { stamp: string; entries: Json }>()
const MAX_LISTS = 8

function indexOf(database: string): Json {
  const stat = statOf(database)
  if (!stat?.isFile()) return {}
  const stamp = `${stat.mtimeMs} ${stat.size}`
  const known = lists.get(database)
  if (known?.stamp === stamp) return known.entries
  let entries: Json = {}
  try {
    const stored = storedValue(database, 'chat.ChatSessionStore.index')
    entries = object(object(JSON.parse(stored ?? '{}'))?.entries) ?? {}
  } catch {
    // A title is not worth a failed reading; the database may be locked for a moment.
    return known?.entries ?? {}
  }
  lists.delete(database)
  lists.set(database, { stamp, entries })
  if (lists.size > MAX_LISTS) lists.delete(lists.keys().next().value!)
  return entries
}

function smallJson(file: string): Json {
  const size = statOf(file)?.size
  if (size === undefined || size > SMALL) return {}
  try {
    return object(readJson(file)) ?? {}
  } catch {
    return {}
  }
}

/** A file beside the chat is not worth a failed reading: one that cannot be looked at is as good as none. */
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
