import type { Archive } from '../../archive/archive.ts'
import { Following } from '../../archive/following.ts'
import { RecollectError } from '../../model/errors.ts'
import { readConfigFile } from '../../platform/config-file.ts'
import { syncInBackground } from '../../sync/background.ts'
import { archiveFolder, type GlobalOptions, openArchive } from '../archive.ts'
import { Browser, type Outcome } from '../browse/browser.ts'
import { libraryOf, reasonOf } from '../browse/library.ts'
import { askOf, forgetterOf, noterOf, readerOf } from '../call.ts'
import { hasScreen } from '../paint.ts'
import { readable } from '../readable.ts'
import { guardTerminal, releaseTerminal } from '../terminal.ts'
import { resume } from './resume.ts'

interface Options extends GlobalOptions {
  reveal?: boolean
  exclude?: string[]
  /** `--no-sync`: another process keeps the archive up to date. */
  sync?: boolean
}

const SYNC_STATE_MS = 250

/** Search, read and go on with chats on a screen of its own. */
export async function browse(words: string[], options: Options): Promise<void> {
  if (!hasScreen()) {
    throw new RecollectError(
      'NOT_A_TERMINAL',
      'The browser needs a terminal.',
      'Use `recollect search` and `recollect show` here.',
    )
  }
  const archive = openArchive(options)
  let outcome: Outcome
  try {
    // Keys that are pressed while the rest is loaded are kept, and not echoed.
    process.stdin.setRawMode(true)
    releaseTerminal(process.stdout)
    outcome = await browsed(archive, queryOf(words, options.exclude), options)
  } finally {
    process.stdin.setRawMode(false)
    guardTerminal(process.stdout)
    await archive.close()
  }
  process.exitCode = outcome.code
  if (outcome.resume) await resume(outcome.resume, { ...options, run: true })
  if (outcome.gather) await (await import('./gather.ts')).gather(outcome.gather, options)
}

/** What is set for the terminal. The rest of the file is checked where it is needed. */
function settings(folder: string): { osc52: boolean; mouse: boolean } {
  const config = readConfigFile(folder) as { terminal?: { osc52?: unknown; mouse?: unknown } } | undefined
  return { osc52: config?.terminal?.osc52 === true, mouse: config?.terminal?.mouse !== false }
}

function queryOf(words: string[], excluded: string[] = []): string {
  return [...words, ...excluded.map((word) => (/\s/.test(word) ? `-"${word}"` : `-${word}`))].join(' ')
}

async function browsed(archive: Archive, words: string, options: Options): Promise<Outcome> {
  const library = libraryOf(
    askOf(archive, options),
    readerOf(archive, options),
    forgetterOf(archive, options),
    noterOf(archive, options),
  )
  const { osc52, mouse } = settings(archiveFolder(options))
  const { columns, rows } = process.stdout
  const browser = new Browser(library, { size: { columns, rows }, words, terminal: process.stdout, osc52 })
  const following = new Following(archive)
  following.listen(() => void browser.refresh())
  let sync: { stop(): Promise<void> } | undefined
  try {
    // Before the list is made: what came between the two would never be shown.
    await following.begun()
    await browser.refresh(false)
    const { show } = await screenCode()
    const leaving = show(browser, { mouse })
    if (options.sync !== false) sync = syncFor(browser, options)
    return await leaving
  } finally {
    following.close()
    await sync?.stop()
  }
}

/** Reads what is new in a thread, and tells the browser how that stands. */
function syncFor(browser: Browser, options: Options): { stop(): Promise<void> } | undefined {
  try {
    const { sources, machine, homes } = readable(options)
    const plan = { folder: archiveFolder(options), sources: sources.map(({ id }) => id), machine, homes }
    const behind = syncInBackground(plan, () => {})
    const telling = setInterval(() => {
      if (browser.state.sync !== behind.state) browser.do({ do: 'synced', sync: behind.state })
    }, SYNC_STATE_MS)
    return {
      async stop() {
        clearInterval(telling)
        await behind.stop()
      },
    }
  } catch (error) {
    browser.do({ do: 'synced', sync: { state: 'failed', reason: reasonOf(error) } })
    return undefined
  }
}

/** What draws is loaded for this command alone; the environment says which half of React that is. */
async function screenCode() {
  const { env } = process
  const given = env.NODE_ENV
  env.NODE_ENV = 'production'
  try {
    return await import('../browse/show.ts')
  } finally {
    if (given === undefined) delete env.NODE_ENV
    else env.NODE_ENV = given
  }
}
