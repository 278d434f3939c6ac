import { type Mark, MOST, markOf, type Progress } from './progress.ts'
import { uuidsBefore } from './reread.ts'

/** A record made so long before the one it follows is likely a copy that was appended again. */
const LONG_BEFORE = 10 * 60_000

/**
 * Which records were told already. Some versions append history again, with its old uuids: `/branch`
 * did so with everything before a compaction (anthropics/claude-code#48936). Near copies are known
 * by the last uuids. Far ones give themselves away by their age; only then is the file before them
 * looked through.
 */
export class SeenRecords {
  private readonly file: string
  private readonly progress: Progress
  private readonly last: Set<Mark>
  private seen: Set<string> | undefined

  constructor(file: string, progress: Progress) {
    this.file = file
    this.progress = progress
    this.last = new Set(progress.told)
  }

  has(uuid: string | undefined): boolean {
    return uuid !== undefined && this.last.has(markOf(uuid))
  }

  /** Notes a record; false when it is a copy of an earlier one. */
  isNew(uuid: string | undefined, at: number | undefined, offset: number): boolean {
    if (this.has(uuid)) return false
    const { progress } = this
    if (uuid !== undefined) {
      const isOld = at !== undefined && progress.at !== undefined && at < progress.at - LONG_BEFORE
      if (isOld) this.seen ??= uuidsBefore(this.file, offset)
      if (this.seen?.has(uuid)) return false
      this.seen?.add(uuid)
      this.add(uuid)
    }
    if (at !== undefined) progress.at = at
    return true
  }

  add(uuid: string | undefined): void {
    if (uuid === undefined) return
    const mark = markOf(uuid)
    if (this.last.has(mark)) return
    this.last.add(mark)
    this.progress.told.push(mark)
    if (this.progress.told.length > MOST.told) this.last.delete(this.progress.told.shift()!)
  }
}
