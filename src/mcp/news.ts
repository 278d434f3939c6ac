import type { Archive, ArchivedChat } from '../archive/archive.ts'
import type { Place } from '../context/place.ts'
import { type Watching, watchContext } from '../context/watch.ts'
import { log } from '../platform/log.ts'
import { CONTEXT_FILE, chatUris, LISTS } from './uris.ts'

/** What has changed, as far as those who read resources care. */
export interface Told {
  uris: string[]
  /** Chats came or went. */
  listChanged: boolean
}

/** With the time it takes to read the file, a change is told within a second. */
const POLL_MS = 300
/** Where too many chats changed to be named, the newest are. */
const NEWEST = 1_000

/**
 * Hears of changes to the archive, whichever process makes them, and to context files. Asks the
 * archive only while somebody listens.
 */
export class News {
  readonly #archive: Archive
  readonly #listeners = new Set<(told: Told) => void>()
  readonly #files = new Map<string, Watching>()
  #timer: NodeJS.Timeout | undefined
  #mark: number | undefined
  #chats: number | undefined
  #busy = false

  constructor(archive: Archive) {
    this.#archive = archive
  }

  listen(listener: (told: Told) => void): () => void {
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

  watchFile(place: Place): void {
    if (this.#files.has(place.file)) return
    try {
      this.#files.set(
        place.file,
        watchContext(place, () => this.#tell({ uris: [CONTEXT_FILE], listChanged: false })),
      )
    } catch (error) {
      log('debug', `${place.file} is not watched: ${(error as Error).message}`)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#listeners.clear()
    for (const watching of this.#files.values()) watching.close()
    this.#files.clear()
  }

  async #look(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      const before = this.#mark
      const { mark, chats } = await this.#archive.changes(before)
      if (mark === before) return
      this.#mark = mark
      const count = await this.#archive.chatCount()
      const listChanged = this.#chats !== undefined && count !== this.#chats
      this.#chats = count
      if (before === undefined) return
      this.#tell({ uris: urisOf(chats ?? (await this.#newest())), listChanged })
    } catch (error) {
      log('debug', `changes cannot be seen: ${(error as Error).message}`)
    } finally {
      this.#busy = false
    }
  }

  async #newest(): Promise<ArchivedChat[]> {
    return await this.#archive.listChats({ subagents: true }, { limit: NEWEST })
  }

  #tell(told: Told): void {
    for (const listener of this.#listeners) listener(told)
  }
}

function urisOf(chats: ArchivedChat[]): string[] {
  const lists: string[] = [LISTS.sessions, LISTS.workspaces]
  if (chats.some((chat) => chat.source === 'copilot-cli')) lists.push(LISTS.cliSessions)
  return [...lists, ...chats.flatMap((chat) => chatUris(chat.id))]
}
