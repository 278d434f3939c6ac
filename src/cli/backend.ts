import os from 'node:os'
import path from 'node:path'
import { openedWhenNeeded } from '../archive/opened.ts'
import type { Backend } from '../http/backend.ts'
import type { HubBehind } from '../hub/background.ts'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { nodeCrypto } from '../platform/node-crypto.ts'
import { News } from '../server/change-feed.ts'
import { openedAside } from '../service/aside-opened.ts'
import { chosenCapabilities, setsNamed } from '../service/sets.ts'
import type { Background, BackgroundState } from '../sync/background.ts'
import type { Readable } from '../sync/readable.ts'
import type { GlobalOptions } from './archive.ts'

export interface BackendOptions extends GlobalOptions {
  tools?: string
  maxChars?: string
  /** `--no-sync`: another process keeps the archive in step. */
  sync?: boolean
  /** `serve --hub`: nothing of this machine is read, only what comes from the hub. */
  hub?: boolean
}

/** The thread that syncs starts when the client has had its greeting, so that it does not take its time. */
const SYNC_AFTER_MS = 400
/** And when somebody asks for something, as soon as that is answered. */
const SYNC_AFTER_ANSWER_MS = 20

/** One archive with all that serving it takes. Code is loaded when it is first needed. */
export function openBackend(options: BackendOptions): Backend {
  const sets = setsNamed(options.tools)
  const maxChars = options.maxChars === undefined ? undefined : wholeNumber(options.maxChars, 2_000)
  const archive = openedWhenNeeded(async () => (await archives()).openArchive(options))
  const news = new News(archive)
  // The sample is filled by a sync, whoever keeps the person's own archive in step.
  const sync = syncLater(options.sample ? { ...options, sync: true } : options)
  const readable = async () => (await import('./readable.ts')).readable(options)
  const folder = async () => (await archives()).archiveFolder(options)
  const machine = async () => (await archives()).machineOf(options)
  const aside = openedAside({ folder, machine, readable, syncing: sync.state })
  return {
    readable,
    sample: options.sample === true,
    folder,
    syncAgain: sync.restart,
    shared: {
      archive,
      env: process.env,
      readable,
      machine,
      capabilities: async () =>
        chosenCapabilities((await import('../capabilities/index.ts')).capabilities, sets),
      maxChars,
      syncing: sync.state,
      aside: aside.open,
      news,
    },
    async close() {
      news.close()
      await aside.close()
      await sync.stop()
      await archive.close().catch(() => {})
    },
  }
}

/** The same for somebody who may read what came through some spaces, and nothing else of this machine. */
export function openGuestBackend(options: BackendOptions, spaces: readonly string[]): Backend {
  const folder = async () => (await archives()).archiveFolder(options)
  const archive = openedWhenNeeded(async () => {
    const { openSqliteArchive } = await import('../archive/sqlite/index.ts')
    return openSqliteArchive(await folder(), { spaces })
  })
  const news = new News(archive)
  // No file of this machine is read for them, neither an assistant's nor a context.md.
  const nowhere = path.join(os.tmpdir(), `recollect-nowhere-${nodeCrypto().randomUUID()}`)
  const env = { WORKSPACE: nowhere, HOME: nowhere, RECOLLECT_HOME: nowhere }
  const readable = async (): Promise<Readable> => ({
    sources: [],
    machine: { platform: process.platform, home: nowhere, env },
    homes: [],
  })
  return {
    readable,
    sample: false,
    folder: async () => nowhere,
    syncAgain: async () => {},
    shared: {
      archive,
      env,
      readable,
      capabilities: async () =>
        (await import('../capabilities/index.ts')).capabilities.filter(({ set }) => set !== 'context'),
      syncing: () => undefined,
      // No helpers beside: they would open all of the archive.
      aside: undefined,
      news,
    },
    async close() {
      news.close()
      await archive.close().catch(() => {})
    },
  }
}

export function wholeNumber(given: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(given)
  if (/^\d+$/.test(given) && value >= least && value <= most) return value
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${given}" is not a whole number${most < 1e9 ? ` from ${least} to ${most}` : ` from ${least} on`}.`,
  )
}

/** All that knows of the assistants' formats: not needed for the greeting. */
async function archives() {
  return await import('./archive.ts')
}

interface Syncing {
  state(): BackgroundState | undefined
  /** What is to be read has changed. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Keeps the archive in step in a thread, from when a client first needs it, or a moment after the start. */
function syncLater(options: BackendOptions): Syncing {
  let starting: Promise<Background> | undefined
  let behind: Background | undefined
  let hub: HubBehind | undefined
  const start = async (): Promise<Background> => {
    const { archiveFolder, machineOf } = await archives()
    const { syncInBackground } = await import('../sync/background.ts')
    // What is read is found out by the thread: the formats take a tenth of a second to load, and who only searches needs none.
    const plan = { folder: archiveFolder(options), machine: machineOf(options) }
    behind = syncInBackground(plan, (reason) => log('warn', `sync: ${reason}`))
    // The sample is nobody's to share.
    if (!options.sample) {
      const { hubBehind } = await import('../hub/background.ts')
      hub ??= hubBehind(plan.folder, (news) => 'trouble' in news && log('warn', `hub: ${news.trouble}`))
    }
    return behind
  }
  const begin = () => {
    starting ??= start()
    starting.catch((error: Error) => log('warn', `sync: ${error.message}`))
  }
  if (options.hub) return exchanging(options)
  if (options.sync === false) return { state: () => undefined, restart: async () => {}, stop: async () => {} }
  let timer = setTimeout(begin, SYNC_AFTER_MS)
  let isSoon = false
  const beginSoon = () => {
    if (isSoon || starting) return
    isSoon = true
    clearTimeout(timer)
    timer = setTimeout(begin, SYNC_AFTER_ANSWER_MS)
  }
  const stop = async () => {
    clearTimeout(timer)
    await (await starting?.catch(() => undefined))?.stop()
    await hub?.stop()
    hub = undefined
  }
  return {
    state() {
      beginSoon()
      return behind?.state ?? { state: 'starting' }
    },
    stop,
    async restart() {
      await stop()
      starting = undefined
      behind = undefined
      begin()
    },
  }
}

/** Of a search node: no file of this machine is read. */
function exchanging(options: BackendOptions): Syncing {
  const starting = (async () => {
    const [{ archiveFolder }, { hubBehind }] = await Promise.all([archives(), import('../hub/background.ts')])
    return hubBehind(
      archiveFolder(options),
      (news) => 'trouble' in news && log('warn', `hub: ${news.trouble}`),
    )
  })()
  starting.catch((error: Error) => log('warn', `hub: ${error.message}`))
  return {
    state: () => undefined,
    restart: async () => {},
    stop: async () => await (await starting.catch(() => undefined))?.stop(),
  }
}
