import type { Archive } from '../../src/archive/archive.ts'
import { openedWhenNeeded } from '../../src/archive/opened.ts'
import { archiveExists, openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { type Answers, type CapabilityName, capabilities, type Inputs } from '../../src/capabilities/index.ts'
import { type Machine, recollectHome } from '../../src/platform/machine.ts'
import { News } from '../../src/server/change-feed.ts'
import { openedAside } from '../../src/service/aside-opened.ts'
import type { Caller } from '../../src/service/caller.ts'
import { type Definition, definitionOf } from '../../src/service/definitions.ts'
import { orThrow } from '../../src/service/failure.ts'
import { type Forgetter, forgetterFor } from '../../src/service/forgetter.ts'
import { type Noter, noterFor } from '../../src/service/noter.ts'
import { type Reader, readerFor } from '../../src/service/reader.ts'
import { call, type Service } from '../../src/service/service.ts'
import { type Background, type BackgroundState, syncInBackground } from '../../src/sync/background.ts'
import { type Readable, readableBy } from '../../src/sync/readable.ts'

export interface Plan {
  machine: Machine
  /** Ids of assistants that the settings leave out. */
  leftOut: string[]
  /** Whether this window may keep the archive up to date. */
  syncs: boolean
  onProblem(reason: string): void
}

/**
 * The archive with all that can be done with it, for one window. Loaded at the first use: it brings
 * the database and every assistant's format.
 */
export class Secretary {
  readonly folder: string
  readonly archive: Archive
  readonly news: News
  readonly #plan: Plan
  readonly #service: Service
  readonly #aside: ReturnType<typeof openedAside>
  #behind: Background | undefined

  constructor(plan: Plan) {
    this.#plan = plan
    this.folder = recollectHome(plan.machine)
    this.archive = openedWhenNeeded(async () =>
      openSqliteArchive(this.folder, { onReplaced: (what) => plan.onProblem(what) }),
    )
    this.news = new News(this.archive)
    const readable = async () => this.readable()
    this.#aside = openedAside({
      folder: async () => this.folder,
      readable,
      syncing: () => this.syncing(),
    })
    this.#service = {
      archive: this.archive,
      env: plan.machine.env,
      readable,
      aside: this.#aside.open,
      capabilities: async () => capabilities,
      syncing: () => this.syncing(),
    }
  }

  exists(): boolean {
    return archiveExists(this.folder)
  }

  readable(): Readable {
    const { machine, leftOut } = this.#plan
    const { sources, homes } = readableBy(this.folder, machine)
    return { sources: sources.filter(({ id }) => !leftOut.includes(id)), machine, homes }
  }

  /** Reads chats a page at a time, and lists of them. */
  reader(caller: Caller): Reader {
    return readerFor(this.#service, caller)
  }

  /** Erases chats for good. */
  forgetter(caller: Caller): Forgetter {
    return forgetterFor(this.#service, caller)
  }

  /** Names, pins and puts away. */
  noter(caller: Caller): Noter {
    return noterFor(this.#service, caller)
  }

  /** The answer of a capability; what goes wrong is thrown. */
  async ask<N extends CapabilityName>(name: N, given: Inputs[N], caller: Caller): Promise<Answers[N]> {
    return orThrow(await call(this.#service, name, given, caller))
  }

  definition(name: string): Definition {
    const found = capabilities.find((each) => each.name === name)
    if (!found) throw new Error(`There is no ${name}`)
    return definitionOf(found)
  }

  /** The answer of a capability, as every face gives it: within the caller's budget, secrets redacted. */
  async call(name: string, input: Record<string, unknown>, caller: Caller): Promise<Record<string, unknown>> {
    const { answer, failure } = await call(this.#service, name, input, caller)
    if (answer) return answer
    const { details, ...problem } = failure
    return { isError: true, ...problem, ...details }
  }

  /** How the syncing stands, which begins with the first question. Nothing where it is switched off. */
  syncing(): BackgroundState | undefined {
    if (!this.#behind && this.#plan.syncs) this.startSync()
    return this.#behind?.state
  }

  /** The same, without beginning it. */
  get state(): BackgroundState | undefined {
    return this.#behind?.state
  }

  startSync(): void {
    if (this.#behind) return
    const { sources, machine, homes } = this.readable()
    const plan = { folder: this.folder, sources: sources.map(({ id }) => id), machine, homes }
    this.#behind = syncInBackground(plan, this.#plan.onProblem)
  }

  async stopSync(): Promise<void> {
    const behind = this.#behind
    this.#behind = undefined
    await behind?.stop()
  }

  async close(): Promise<void> {
    this.news.close()
    await this.#aside.close()
    await this.stopSync()
    await this.archive.close().catch(() => {})
  }
}
