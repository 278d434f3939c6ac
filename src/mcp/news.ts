import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { Following } from '../archive/following.ts'
import type { Place } from '../context/place.ts'
import { type Watching, watchContext } from '../context/watch.ts'
import { log } from '../platform/log.ts'
import { CONTEXT_FILE, chatUris, LISTS, withoutQuery } from './uris.ts'

/** What has changed, as far as those who read resources care. */
export interface Told {
  uris: string[]
  /** Chats came or went. */
  listChanged: boolean
}

/** Where too many chats changed to be named, the newest are. */
const NEWEST = 1_000
/** So many parts are remembered, whoever asked for them. */
const MOST_PARTS = 1_000

/** Tells of changes to the archive and to context files in the words of resources. */
export class News {
  /** Of the archive, for who does not read resources. */
  readonly changes: Following
  readonly #archive: Archive
  readonly #listeners = new Set<(told: Told) => void>()
  readonly #files = new Map<string, Watching>()
  /** URIs with a query. */
  readonly #parts = new Set<string>()
  #stop: (() => void) | undefined

  constructor(archive: Archive) {
    this.#archive = archive
    this.changes = new Following(archive)
  }

  listen(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener)
    this.#stop ??= this.changes.listen(({ chats, listChanged }) => void this.#pass(chats, listChanged))
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = undefined
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

  /** A URI with a query, such as the last entries of a file, is told of when what it is a part of changes. */
  tellOf(uris: string[]): void {
    for (const uri of uris) {
      if (withoutQuery(uri) !== uri && this.#parts.size < MOST_PARTS) this.#parts.add(uri)
    }
  }

  close(): void {
    this.changes.close()
    this.#stop = undefined
    this.#listeners.clear()
    for (const watching of this.#files.values()) watching.close()
    this.#files.clear()
  }

  async #pass(chats: ArchivedChat[] | undefined, listChanged: boolean): Promise<void> {
    try {
      const changed = chats ?? (await this.#archive.listChats({ subagents: true }, { limit: NEWEST }))
      this.#tell({ uris: urisOf(changed), listChanged })
    } catch (error) {
      log('debug', `changes cannot be told: ${(error as Error).message}`)
    }
  }

  #tell({ uris, listChanged }: Told): void {
    const changed = new Set(uris)
    const parts = [...this.#parts].filter((uri) => changed.has(withoutQuery(uri)))
    const told = { uris: [...changed, ...parts], listChanged }
    for (const listener of this.#listeners) listener(told)
  }
}

function urisOf(chats: ArchivedChat[]): string[] {
  const lists: string[] = [LISTS.sessions, LISTS.workspaces]
  if (chats.some((chat) => chat.source === 'copilot-cli')) lists.push(LISTS.cliSessions)
  return [...lists, ...chats.flatMap((chat) => chatUris(chat.id))]
}
