import fs from 'node:fs'
import path from 'node:path'

export interface WrittenDialog {
  id: string
  file: string
  writtenAt: number
}

/** The dialogs in a folder of VS Code, the last written first. */
export function writtenDialogs(folder: string): WrittenDialog[] {
  const byId = new Map<string, WrittenDialog>()
  for (const name of namesIn(folder)) {
    const [, id] = /^(.+)\.jsonl?$/.exec(name) ?? []
    if (!id) continue
    const file = path.join(folder, name)
    const writtenAt = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const known = byId.get(id)
    if (!known || known.writtenAt < writtenAt) byId.set(id, { id, file, writtenAt })
  }
  return [...byId.values()].sort((a, b) => b.writtenAt - a.writtenAt)
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    // A window in which nobody has chatted has no such folder.
    return []
  }
}
