import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { Following } from '../archive/following.ts'
import type { Place } from '../context/place.ts'
import { type Watching, watchContext } from '../context/watch.ts'
import { log } from '../platform/log.ts'
import { CONTEXT_FILE, chatUris, isOfChat, LISTS, withoutQuery } from './uris.ts'

/** What has changed, as far as those who read resources care. */
export interface ChangeNotice {
  uris: string[]
  /** Chats came or went. */
  listChanged: boolean
}

/** Where too many chats changed to be named, the newest are. */
const NEWEST = 1_000
/** So many URIs are remembered, whoever asked for them. */
const MOST_ASKED = 1_000

/** Tells of changes to the archive and to context files in the words of resources. */
export class News {
  /** Of the archive, for who does not read resources. */
  readonly changes: Following
  readonly #archive: Archive
  readonly #listeners = new Set<(told: ChangeNotice) => void>()
  readonly #files = new Map<string, Watching>()
  /** URIs that are told of as they were asked for: with a query, or with a shortened id. */
  readonly #asked = new Set<string>()
  #stop: (() => void) | undefined

  constructor(archive: Archive) {
    this.#archive = archive
    this.changes = new Following(archive)
  }

  listen(listener: (told: ChangeNotice) => void): () => void {
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

  /**
   * A URI with a query, such as the last entries of a file, is told of when what it is a part of
   * changes, and one with a shortened id when that chat does.
   */
  tellOf(uris: string[]): void {
    for (const uri of uris) if (this.#asked.size < MOST_ASKED) this.#asked.add(uri)
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
      this.#tell({ uris: urisOf(changed), listChanged }, changed)
    } catch (error) {
      log('debug', `changes cannot be told: ${(error as Error).message}`)
    }
  }

  #tell({ uris, listChanged }: ChangeNotice, chats: ArchivedChat[] = []): void {
    const changed = new Set(uris)
    const asked = [...this.#asked].filter(
      (uri) => changed.has(withoutQuery(uri)) || chats.some((chat) => isOfChat(uri, chat)),
    )
    const told = { uris: [...new Set([...changed, ...asked])], listChanged }
    for (const listener of this.#listeners) listener(told)
  }
}

function urisOf(chats: ArchivedChat[]): string[] {
  const lists: string[] = [LISTS.sessions, LISTS.workspaces]
  if (chats.some((chat) => chat.source === 'copilot-cli')) lists.push(LISTS.cliSessions)
  return [...lists, ...chats.flatMap((chat) => chatUris(chat.id))]
}
