import { News } from '../../mcp/news.ts'
import { chosenCapabilities, setsNamed } from '../../mcp/sets.ts'
import { openedWhenNeeded, type Shared } from '../../mcp/shared.ts'
import { RecollectError } from '../../model/errors.ts'
import { log } from '../../platform/log.ts'
import type { Behind } from '../../sync/behind.ts'
import type { GlobalOptions } from '../archive.ts'

interface Options extends GlobalOptions {
  http?: string | boolean
  host?: string
  tools?: string
  maxChars?: string
  /** `--no-sync`: another process keeps the archive in step. */
  sync?: boolean
  /** `--no-token`: anyone on this machine may ask. */
  token?: boolean
  insecure?: boolean
  tlsCert?: string
  tlsKey?: string
}

/** The thread that syncs starts when the client has had its greeting, so that it does not take its time. */
const SYNC_AFTER_MS = 400
const DEFAULT_PORT = 3939

/** Serves agents over MCP: on stdin and stdout, or over HTTP. */
export async function mcp(options: Options): Promise<void> {
  const sets = setsNamed(options.tools)
  const port = portFrom(options.http ?? process.env.MCP_PORT)
  const maxChars = options.maxChars === undefined ? undefined : wholeNumber(options.maxChars, 2_000)
  const archive = openedWhenNeeded(async () => (await archives()).openArchive(options))
  const news = new News(archive)
  const sync = syncLater(options)
  const shared: Shared = {
    archive,
    env: process.env,
    readable: async () => (await import('../readable.ts')).readable(options),
    capabilities: async () =>
      chosenCapabilities((await import('../../capabilities/index.ts')).capabilities, sets),
    maxChars,
    syncing: sync.state,
    news,
  }
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
  try {
    if (port === undefined) {
      const { serveOverStdio } = await import('../../mcp/stdio.ts')
      await serveOverStdio(shared, ending.signal)
    } else {
      const { serveOverHttp } = await import('../../mcp/http.ts')
      const { archiveFolder } = await archives()
      await serveOverHttp(shared, {
        port,
        host: options.host,
        folder: archiveFolder(options),
        open: options.token === false,
        insecure: options.insecure,
        tls: options.tlsCert && options.tlsKey ? { cert: options.tlsCert, key: options.tlsKey } : undefined,
        signal: ending.signal,
      })
    }
  } finally {
    news.close()
    await sync.stop()
    await archive.close().catch(() => {})
  }
  // Standard input may be held open by whoever started us.
  process.exit(0)
}

/** All that knows of the assistants' formats: not needed for the greeting. */
async function archives() {
  return await import('../archive.ts')
}

/** Keeps the archive in step in a thread, from when a client first needs it, or a moment after the start. */
function syncLater(options: Options): { state: Shared['syncing']; stop(): Promise<void> } {
  let starting: Promise<Behind> | undefined
  let behind: Behind | undefined
  const start = async (): Promise<Behind> => {
    const { archiveFolder } = await archives()
    const { readable } = await import('../readable.ts')
    const { syncBehind } = await import('../../sync/behind.ts')
    const { sources, machine, homes } = readable(options)
    const plan = { folder: archiveFolder(options), sources: sources.map(({ id }) => id), machine, homes }
    behind = syncBehind(plan, (reason) => log('warn', `sync: ${reason}`))
    return behind
  }
  const begin = () => {
    starting ??= start()
    starting.catch((error: Error) => log('warn', `sync: ${error.message}`))
  }
  if (options.sync === false) return { state: () => undefined, stop: async () => {} }
  const timer = setTimeout(begin, SYNC_AFTER_MS)
  return {
    state() {
      begin()
      return behind?.state ?? { state: 'starting' }
    },
    async stop() {
      clearTimeout(timer)
      await (await starting?.catch(() => undefined))?.stop()
    },
  }
}

function portFrom(given: string | boolean | undefined): number | undefined {
  if (given === undefined || given === '' || given === false) return undefined
  return given === true ? DEFAULT_PORT : wholeNumber(given, 0, 65_535)
}

function wholeNumber(given: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(given)
  if (/^\d+$/.test(given) && value >= least && value <= most) return value
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${given}" is no whole number${most < 1e9 ? ` from ${least} to ${most}` : ` from ${least} on`}.`,
  )
}
