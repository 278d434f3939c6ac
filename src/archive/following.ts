import { log } from '../platform/log.ts'
import type { Archive, ArchivedChat } from './archive.ts'

export interface Changed {
  /** Missing where there are too many to name. */
  chats?: ArchivedChat[]
  /** Chats came or went. */
  listChanged: boolean
  /** Another archive took its place. */
  replaced?: true
}

/** With the time it takes to read the file, a change is told within a second. */
const POLL_MS = 300

/**
 * Hears of changes to the archive, whichever process makes them. Asks only while somebody listens:
 * one row, about 20 µs, three times a second.
 */
export class Following {
  readonly #archive: Archive
  readonly #listeners = new Set<(changed: Changed) => void>()
  #timer: NodeJS.Timeout | undefined
  #mark: number | undefined
  #chats: number | undefined
  #busy = false

  constructor(archive: Archive) {
    this.#archive = archive
  }

  listen(listener: (changed: Changed) => void): () => void {
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#look(), POLL_MS).unref()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#mark = undefined
    }
  }

  /** Resolves when changes from now on are told: without it, those of the first moment may not be. */
  async begun(): Promise<void> {
    if (this.#mark === undefined) await this.#look()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#listeners.clear()
  }

  async #look(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      const before = this.#mark
      const { mark, chats, replaced } = await this.#archive.changes(before)
      if (mark === before) return
      const count = await this.#archive.chatCount()
      // Only now: where that failed, it is told with the next look.
      this.#mark = mark
      const listChanged = this.#chats !== undefined && count !== this.#chats
      this.#chats = count
      if (before === undefined) return
      for (const listener of this.#listeners) listener({ chats, listChanged, ...(replaced && { replaced }) })
    } catch (error) {
      log('debug', `changes cannot be seen: ${(error as Error).message}`)
    } finally {
      this.#busy = false
    }
  }
}
