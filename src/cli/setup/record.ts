import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../../model/errors.ts'
import { changeSmallFile, textOf } from '../../platform/change-file.ts'
import { spliced } from './format.ts'

/** What setup did to a file, so that it can be undone to the byte. */
const recordSchema = z.object({
  file: z.string(),
  name: z.string(),
  /** The text with us differs from the text without us by this. */
  at: z.int().min(0),
  removed: z.string(),
  inserted: z.string(),
  /** Of the file with us. */
  sha256: z.string(),
  madeFile: z.boolean(),
  /** The outermost folder that was made for the file. */
  madeFolder: z.string().optional(),
  /** The list of servers was not there before. */
  madeList: z.boolean(),
})
const bookSchema = z.object({ records: z.array(recordSchema) })

export type SetupRecord = z.output<typeof recordSchema>

const BACKUPS_KEPT = 3

/** What was done to which file, and the files as they were before, beside the archive. */
export class SetupRecords {
  private readonly folder: string

  constructor(archiveFolder: string) {
    this.folder = path.join(archiveFolder, 'setup')
  }

  find(file: string, name: string): SetupRecord | undefined {
    return this.all().find((each) => each.file === file && each.name === name)
  }

  keep(record: SetupRecord): void {
    changeSmallFile(this.file(), () => bookText([...this.without(record), record]))
  }

  drop(record: Pick<SetupRecord, 'file' | 'name'>): void {
    if (this.find(record.file, record.name))
      changeSmallFile(this.file(), () => bookText(this.without(record)))
  }

  /** A copy of the file. It may hold keys of other servers: only its owner can read it. */
  backUp(file: string, bytes: Buffer): string {
    const folder = path.join(this.folder, 'backups')
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stem = `${path.basename(file).replace(/^\.+/, '')}.${sha256(file).slice(0, 8)}.`
    const stamp = new Date().toISOString().replace(/[-:]/g, '').replace('.', '-')
    const backup = path.join(folder, `${stem}${stamp}`)
    fs.writeFileSync(backup, bytes, { mode: 0o600 })
    const older = fs
      .readdirSync(folder)
      .filter((each) => each.startsWith(stem))
      .toSorted()
    for (const each of older.slice(0, -BACKUPS_KEPT)) fs.rmSync(path.join(folder, each), { force: true })
    return backup
  }

  private all(): SetupRecord[] {
    const text = textOf(this.file())
    if (text === undefined) return []
    try {
      return bookSchema.parse(JSON.parse(text)).records
    } catch {
      throw new RecollectError(
        'INVALID_CONFIG',
        `${this.file()} cannot be understood.`,
        'Remove it: setup then takes its entries out by their names.',
      )
    }
  }

  private without({ file, name }: Pick<SetupRecord, 'file' | 'name'>): SetupRecord[] {
    return this.all().filter((each) => each.file !== file || each.name !== name)
  }

  private file(): string {
    return path.join(this.folder, 'record.json')
  }
}

function bookText(records: SetupRecord[]): string {
  return `${JSON.stringify({ records }, null, 2)}\n`
}

/** How one text becomes the other, in one place. */
export function difference(before: string, after: string): Pick<SetupRecord, 'at' | 'removed' | 'inserted'> {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before[at] === after[at]) at++
  let same = 0
  while (same < shorter - at && before.at(-1 - same) === after.at(-1 - same)) same++
  return {
    at,
    removed: before.slice(at, before.length - same),
    inserted: after.slice(at, after.length - same),
  }
}

/** The text without us: as it was if nothing else changed, else with our piece taken out where it is found. */
export function undone(
  text: string,
  { sha256: sum, at, removed, inserted }: SetupRecord,
): string | undefined {
  if (sha256(text) === sum) return spliced(text, { at, remove: inserted.length, insert: removed })
  const found = text.indexOf(inserted)
  if (found < 0 || text.includes(inserted, found + 1)) return undefined
  return spliced(text, { at: found, remove: inserted.length, insert: removed })
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
