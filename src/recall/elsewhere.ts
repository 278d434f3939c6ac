import fs from 'node:fs'
import path from 'node:path'
import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { backupFiles } from '../archive/backups.ts'
import { ANYWHERE, type Clean } from '../model/clean.ts'
import { WrittenExports } from './export/written.ts'

/** Where the words of chats are beside the archive: files that `forget` does not touch unasked. */
export interface Elsewhere {
  /** The assistants' own: Recollect never writes to them. */
  assistants: string[]
  /** Backups and copies of the archive, which hold every chat of their time. */
  copies: string[]
  exports: string[]
  /** Context files with an entry made of one of the chats. */
  contexts: string[]
}

/** Longer files are not looked into, and named where they may hold words. */
const MOST_BYTES = 64_000_000
/** A line of a request that is shorter may be anybody's. */
const TELLING = 24
const REQUESTS = 3
/** So much of each is looked for. */
const LOOKED_AT = 4_000

/** To be asked before the chats are forgotten. Reads exports and context files for words and ids of the chats. */
export async function wordsElsewhere(
  archive: Archive,
  folder: string,
  chats: ArchivedChat[],
  clean: Clean,
): Promise<Elsewhere> {
  const assistants = new Set<string>()
  const signs = new Set<string>()
  const workspaces = new Set((await archive.workspaces()).map((each) => each.path))
  for (const chat of chats) {
    for (const unit of await archive.unitsOf(chat)) {
      const file = unit.path.replace(/^import:/, '')
      if (fs.existsSync(file)) assistants.add(clean(file, chat))
    }
    for (const sign of await signsOf(archive, chat)) signs.add(sign)
    if (chat.workspace) workspaces.add(chat.workspace)
  }
  const contexts = [...workspaces].flatMap((workspace) =>
    ['context.md', 'context.archive.md'].map((name) => path.join(workspace, name)),
  )
  const isTelling = (file: string) => tells(file, signs)
  return {
    assistants: [...assistants].sort(),
    copies: backupFiles(folder),
    exports: new WrittenExports(folder).paths().filter(isTelling),
    contexts: contexts
      .filter(isTelling)
      .sort()
      .map((file) => clean(file, ANYWHERE)),
  }
}

/** By what a chat is known in a file: its id, and its first requests as plain text, Markdown or JSON has them. */
async function signsOf(archive: Archive, chat: ArchivedChat): Promise<string[]> {
  const { requests } = await archive.outline(chat)
  const lines = requests
    .slice(0, REQUESTS)
    .flatMap(({ text }) => text.slice(0, LOOKED_AT).split('\n'))
    .map((line) => line.replace(/…$/, '').trim())
    .filter((line) => line.length >= TELLING)
  return [chat.id, ...lines, ...lines.map((line) => JSON.stringify(line).slice(1, -1))]
}

function tells(file: string, signs: Set<string>): boolean {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile()) return false
  if (stat.size > MOST_BYTES) return true
  try {
    const text = fs.readFileSync(file, 'utf8')
    for (const sign of signs) if (text.includes(sign)) return true
  } catch {
    return true
  }
  return false
}
