import type { Archive, PushCursor, SpaceState } from '../archive/archive.ts'
import type { ServerSpace, SpaceProgress } from './link.ts'
import type { HubSpace } from './settings.ts'

/** What went wrong with a space, or with the hub as a whole. */
export interface Trouble {
  code: string
  message: string
  hint?: string
  since: number
}

/** What is remembered of a space beside its cursors. */
interface Kept {
  epoch: number
  /** The number of the last batch that the server took. */
  batch: number
  head: number
  /** Own chats that were there and were forgotten, as JSON of their names: told again where the server lost it. */
  forgot: string[]
  /** Rows that could not be read. */
  unreadable: number
  pushedAt?: number
  pulledAt?: number
  trouble?: Trouble
}

const NEW: Kept = { epoch: 0, batch: 0, head: 0, forgot: [], unreadable: 0 }

/** How far this machine is with a space. Kept in the archive, so that a copy of it knows as much as the archive does. */
export class SpaceMemory implements Kept {
  readonly #archive: Archive
  readonly #name: string
  epoch = 0
  batch = 0
  head = 0
  forgot: string[] = []
  unreadable = 0
  pushedAt?: number
  pulledAt?: number
  trouble?: Trouble
  pulled = 0
  pushCursor: PushCursor | undefined

  constructor(archive: Archive, name: string) {
    this.#archive = archive
    this.#name = name
  }

  static async of(archive: Archive, { name }: Pick<HubSpace, 'name'>): Promise<SpaceMemory> {
    const memory = new SpaceMemory(archive, name)
    await archive.saveSpace(name)
    await memory.load()
    return memory
  }

  /** As it was kept: another process may have been at it. */
  async load(): Promise<void> {
    const known = await this.loadCursors()
    const kept: Kept = { ...NEW, ...(known?.state as Partial<Kept> | undefined) }
    Object.assign(this, { trouble: undefined }, kept)
  }

  async loadCursors(): Promise<SpaceState | undefined> {
    const known = (await this.#archive.spaces()).find(({ space }) => space === this.#name)
    this.pulled = known?.pulled ?? 0
    this.pushCursor = known?.pushed
    return known
  }

  /**
   * Not where pulling is: that is written with what was pulled, and a space that was left sends others back. Nor where
   * pushing is, which whoever shares more moves back.
   */
  async save(change: { pulled?: number } = {}): Promise<void> {
    const { epoch, batch, head, forgot, unreadable, pushedAt, pulledAt, trouble } = this
    const state: Kept = { epoch, batch, head, forgot, unreadable, pushedAt, pulledAt, trouble }
    await this.#archive.saveSpace(this.#name, { ...change, state })
  }

  /** Pushing has come so far. False where more was shared meanwhile: then it goes on from where that put it. */
  async pushedTo(cursor: PushCursor): Promise<boolean> {
    await this.save()
    const isMoved =
      cursor === this.pushCursor || (await this.#archive.movePushCursor(this.#name, this.pushCursor, cursor))
    if (isMoved) this.pushCursor = cursor
    else await this.loadCursors()
    return isMoved
  }

  told(): SpaceProgress[number] {
    return { pushed: this.batch, pulled: this.pulled, epoch: this.epoch }
  }

  /** Whether the server lost something since. */
  hasLost({ epoch, lost = false }: Pick<ServerSpace, 'epoch' | 'lost'>): boolean {
    return lost || (this.epoch !== 0 && this.epoch !== epoch)
  }

  /** Takes over what the server says. Where it lost something, all is to be compared from the start. */
  async agree({ epoch, pushed, head, lost }: ServerSpace): Promise<void> {
    const isAnew = this.hasLost({ epoch, lost }) || this.pulled > head
    // Before the epoch is kept: a kill in between finds the loss once more.
    if (isAnew) await this.#archive.pushFromTheStart(this.#name)
    Object.assign(this, { epoch, head, batch: pushed })
    await this.save(isAnew ? { pulled: 0 } : {})
    if (isAnew) await this.loadCursors()
  }
}
