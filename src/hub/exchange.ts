import type { Archive, Lease } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import type { Database, Patience } from './database.ts'
import { HomeLinks } from './home-links.ts'
import { hello, type Link, openLink, type SpaceProgress, writingOf } from './link.ts'
import { pull } from './pull.ts'
import { forgetAll, type Named, push } from './push.ts'
import { changeHub, type HubSettings, type HubSpace, joinedHub, readHub } from './settings.ts'
import { isShared } from './sharing.ts'
import { SpaceMemory } from './state.ts'
import { ownChats } from './take-back.ts'

export interface Progress {
  space: string
  what: 'push' | 'pull'
  done: number
  /** Missing where it is not known yet. */
  all?: number
}

export interface ExchangeOptions {
  archive: Archive
  folder: string
  lease: Lease
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
  patience?: Patience
}

export interface Exchanged {
  space: string
  pushed: number
  pulled: number
  trouble?: { code: string; message: string; hint?: string }
}

/** A connection over which this machine exchanges chats with the hub. */
export class Exchange {
  readonly #options: ExchangeOptions
  /** To the hub itself; none where that does not answer. */
  readonly #link: Link | undefined
  #settings: HubSettings
  readonly #memories: Map<string, SpaceMemory>
  readonly #homes: HomeLinks

  private constructor(
    options: ExchangeOptions,
    link: Link | undefined,
    settings: HubSettings,
    memories: Map<string, SpaceMemory>,
  ) {
    this.#options = options
    this.#link = link
    this.#settings = settings
    this.#memories = memories
    this.#homes = new HomeLinks(options.folder)
  }

  /** Connects and says hello. What an earlier session of this machine still had under way is settled before. */
  static async begin(options: ExchangeOptions, settings: HubSettings): Promise<Exchange> {
    const memories = await memoriesOf(options, settings)
    const told = progressOf(settings, memories, undefined)
    const link = await openLink(settings, { ...options.patience, fence: true, told })
    try {
      const exchange = new Exchange(options, link, settings, memories)
      await exchange.#takeOverSpaces(link)
      await exchange.#agree(link, undefined)
      return exchange
    } catch (error) {
      await link.database.close()
      throw error
    }
  }

  /** While the hub itself does not answer: only with the other databases, of which it said earlier what is there. */
  static async withoutHub(options: ExchangeOptions, settings: HubSettings): Promise<Exchange> {
    return new Exchange(options, undefined, settings, await memoriesOf(options, settings))
  }

  /** When the connection to the hub is gone. */
  get ended(): Promise<void> {
    return this.#link?.database.ended ?? new Promise(() => {})
  }

  async listen(hear: () => void): Promise<void> {
    // Others can say anything on the channel: it is taken as a hint to look, and never believed.
    if (this.#link && !this.#link.welcome.readOnly) await this.#link.database.listen('recollect_hub', hear)
    await this.#homes.listen(hear)
  }

  /** Pulls and pushes all there is. A space with a trouble of its own does not hold the others up. */
  async exchange(): Promise<Exchanged[]> {
    const now = readHub(this.#options.folder)
    // Spaces of another hub are not those that this one knows by the same number.
    if (now?.hub === this.#settings.hub) this.#settings = now
    const done: Exchanged[] = []
    for (const space of this.#settings.spaces) {
      const told = this.#link?.welcome.spaces.find(({ id }) => id === space.id)
      if (told) done.push(await this.#space(space, told.home ?? undefined))
      else if (!this.#link && isElsewhere(this.#settings, space))
        done.push(await this.#space(space, space.home))
    }
    return done
  }

  /** Asks who is there now, and says how far this machine is. Where another machine found out a loss, this one compares too. */
  async greet(): Promise<void> {
    if (this.#link) {
      await this.#hello(this.#link, undefined)
      await this.#takeOverSpaces(this.#link)
      await this.#agreeAnew(this.#link, undefined)
    }
    for (const [name, link] of this.#homes.named()) {
      try {
        await this.#hello(link, name)
        await this.#agreeAnew(link, name)
      } catch (error) {
        await this.#homes.drop(name, error as RecollectError)
      }
    }
  }

  async close(): Promise<void> {
    await this.#homes.close()
    await this.#link?.database.close()
  }

  async #space(space: HubSpace, home: string | undefined): Promise<Exchanged> {
    const { archive } = this.#options
    const memory = this.#memories.get(space.name) ?? (await SpaceMemory.of(archive, space))
    this.#memories.set(space.name, memory)
    const done: Exchanged = { space: space.name, pushed: 0, pulled: 0 }
    try {
      const link = home === undefined ? this.#link! : await this.#home(home)
      await this.#withLink(space, memory, link, home, done)
      return done
    } catch (error) {
      const isOfSpace = error instanceof RecollectError && OF_A_SPACE.has(error.code)
      // What is wrong with the space alone, or with the database where it is. Everything else is wrong with the hub.
      const isOfHome = home !== undefined && error instanceof RecollectError && error.code !== 'HUB_MOVED'
      if (!isOfSpace && !isOfHome) throw error
      if (!isOfSpace && home !== undefined) await this.#homes.drop(home, error as RecollectError)
      const { code, message, hint } = error as RecollectError
      memory.trouble = { code, message, hint, since: memory.trouble?.since ?? Date.now() }
      await memory.save()
      return { ...done, trouble: { code, message, hint } }
    }
  }

  async #withLink(
    space: HubSpace,
    memory: SpaceMemory,
    link: Link,
    home: string | undefined,
    done: Exchanged,
  ): Promise<void> {
    const { archive, lease, signal, onProgress } = this.#options
    const writing = writingOf(space)
    await memory.load()
    const common = { archive, database: link.database, space, writing, memory, signal }
    const receive = () =>
      pull({
        ...common,
        welcome: () => link.welcome,
        greet: () => this.greet(),
        lease,
        onProgress: (count, all) => onProgress?.({ space: space.name, what: 'pull', done: count, all }),
      })
    done.pulled = await receive()
    const { welcome } = link
    if (welcome.spaces.find(({ id }) => id === space.id)?.push && !welcome.readOnly) {
      const all = onProgress && (await archive.changesWaiting(memory.pushCursor))
      done.pushed = await push({
        ...common,
        sharedNow: () => this.#sharedNow(space),
        beginAnew: () => this.#beginAnew(link, home),
        person: welcome.name,
        lease,
        onProgress: (count) => onProgress?.({ space: space.name, what: 'push', done: count, all }),
      })
      if (done.pushed > 0) memory.pushedAt = Date.now()
      // Others told something meanwhile.
      if (memory.pulled < memory.head) done.pulled += await receive()
    }
    if (welcome.readOnly) {
      done.trouble = { code: 'HUB_READ_ONLY', message: 'The server takes no changes now: it is read-only.' }
    }
    const before = memory.trouble
    memory.trouble = done.trouble && { ...done.trouble, since: before?.since ?? Date.now() }
    if (before || done.trouble || done.pushed > 0) await memory.save()
  }

  #sharedNow(space: HubSpace): HubSpace {
    const now = joinedHub(this.#options.folder)
    if (now.hub !== this.#settings.hub) throw joinedAnother()
    return { ...space, shares: now.spaces.find(({ id }) => id === space.id)?.shares ?? [] }
  }

  async #beginAnew(link: Link, home: string | undefined): Promise<boolean> {
    const { archive, lease } = this.#options
    if (!(await archive.renewLease(lease))) return false
    await this.#hello(link, home, true)
    await this.#agree(link, home)
    return true
  }

  async #hello(link: Link, home: string | undefined, fence = false): Promise<void> {
    const { hub, label } = this.#settings
    const told = progressOf(this.#settings, this.#memories, home)
    // A home has an id of its own, which was looked at when it was opened.
    const place = { hub: home === undefined ? hub : '', label }
    link.welcome = await hello(link.database, place, { fence, told })
  }

  /** The connection to a home. What an earlier session of this machine still had under way there is settled before. */
  async #home(name: string): Promise<Link> {
    const told = progressOf(this.#settings, this.#memories, name)
    const options = { ...this.#options.patience, fence: true, told }
    return await this.#homes.open(this.#link, name, options, (link) => this.#agree(link, name))
  }

  async #agreeAnew(link: Link, home: string | undefined): Promise<void> {
    const isLost = ({ id, name, home: there }: HubSpace) => {
      const told = there === home && link.welcome.spaces.find((each) => each.id === id)
      return told && this.#memories.get(name)?.hasLost(told)
    }
    if (this.#settings.spaces.some(isLost)) await this.#agree(link, home)
  }

  /** Takes over how far the server is; where it lost something, what was removed there is removed again before all else. */
  async #agree({ database, welcome }: Link, home: string | undefined): Promise<void> {
    for (const space of this.#settings.spaces) {
      if (space.home !== home) continue
      const told = welcome.spaces.find(({ id }) => id === space.id)
      const memory = this.#memories.get(space.name)
      if (!told || !memory) continue
      const mayRemove = told.push && !welcome.readOnly && (space.sealed ? !!space.key : space.kind === 'team')
      // Before the epoch is kept: after a kill or a cut in between it is told once more.
      if (memory.hasLost(told) && mayRemove) await this.#removeAgain(database, space, memory)
      await memory.agree(told)
    }
  }

  async #removeAgain(database: Database, space: HubSpace, { forgot }: SpaceMemory): Promise<void> {
    const { archive } = this.#options
    const context = { database, space, writing: writingOf(space) }
    await forgetAll(
      context,
      forgot.map((name) => JSON.parse(name) as Named),
      'again',
    )
    const back = { ...space, shares: space.stopped ?? [] }
    const stopped = (await ownChats(archive)).filter((chat) => isShared(chat, back) && !isShared(chat, space))
    await forgetAll(context, [...stopped, ...(await archive.forgottenChats())], 'forgotten')
  }

  /** The spaces as the server tells them now. Of one that this person is no longer in, nothing stays here. */
  async #takeOverSpaces({ welcome }: Link): Promise<void> {
    const { folder, archive, lease } = this.#options
    const before = joinedHub(folder)
    if (before.hub !== this.#settings.hub) throw joinedAnother()
    const spaces = welcome.spaces.map((told): HubSpace => {
      const known = before.spaces.find((space) => isSame(space, told))
      const { id, name, kind, answers, seal, home } = told
      const { home: _, ...facts } = { shares: [], name, ...known }
      // What a team's space is was fixed when it was made, and agreed to when something was shared with it: a server that
      // says later that it is not sealed, or wants what tools answered, gets no more than before.
      const sealed = seal !== null || (kind === 'team' && known?.sealed === true)
      const agreed = { sealed, answers: answers && known?.answers !== false }
      return { ...facts, id, kind, ...agreed, ...(home && { home }) }
    })
    // First of all: after a kill in between, what was there before is still known.
    for (const { space } of await archive.spaces()) {
      const now = spaces.find(({ name }) => name === space)
      if (now && before.spaces.every((each) => each.name !== space || isSame(each, now))) continue
      await archive.removeRemote({ space }, lease)
      this.#memories.delete(space)
    }
    this.#settings = { ...before, person: welcome.name, spaces }
    if (JSON.stringify(this.#settings) !== JSON.stringify(before)) {
      changeHub(folder, (now) => {
        if (now.hub !== before.hub) throw joinedAnother()
        return { ...now, person: welcome.name, spaces: merged(now, spaces) }
      })
    }
    for (const space of spaces)
      if (!this.#memories.has(space.name))
        this.#memories.set(space.name, await SpaceMemory.of(archive, space))
  }
}

/**
 * Whether it is still the same space. After a restored server was set up again, another one may have its number, or its
 * name: what was shared with the one is not shared with the other, whose members may be others.
 */
function isSame(one: Known, other: Known): boolean {
  return one.id === other.id && one.name === other.name && one.kind === other.kind
}

type Known = Pick<HubSpace, 'id' | 'name' | 'kind'>

/** Whether this machine can get to it though the hub itself does not answer. */
export function isElsewhere({ homes }: HubSettings, { home }: HubSpace): boolean {
  return home !== undefined && homes?.[home] !== undefined
}

async function memoriesOf(
  { archive }: ExchangeOptions,
  { spaces }: HubSettings,
): Promise<Map<string, SpaceMemory>> {
  const memories = new Map<string, SpaceMemory>()
  for (const space of spaces) memories.set(space.name, await SpaceMemory.of(archive, space))
  return memories
}

/** Of the spaces in one database: a home, or the hub's own. */
function progressOf(
  settings: HubSettings,
  memories: Map<string, SpaceMemory>,
  home: string | undefined,
): SpaceProgress {
  return Object.fromEntries(
    settings.spaces.flatMap(({ id, name, home: there }) => {
      const memory = there === home ? memories.get(name) : undefined
      return memory ? [[id, memory.told()]] : []
    }),
  )
}

/** This machine has left while it exchanged chats, and is in another hub now: that one begins by itself. */
function joinedAnother(): RecollectError {
  return new RecollectError('HUB_NOT_JOINED', 'This machine is in another hub now.', 'It is tried again.')
}

const OF_A_SPACE = new Set(['HUB_REFUSED', 'HUB_NO_PHRASE'])

/** What was changed here meanwhile stays. */
function merged(before: HubSettings, spaces: HubSpace[]): HubSpace[] {
  return spaces.map((space) => {
    const known = before.spaces.find((each) => isSame(each, space))
    if (!known) return space
    const { shares, stopped, key } = known
    return { ...space, shares, ...(stopped && { stopped }), ...(key && { key }) }
  })
}
