import { capabilities } from '../../capabilities/index.ts'
import { Backends } from '../../http/backend.ts'
import { type Serving, serve as serveHttp } from '../../http/serve.ts'
import { mcpEndpoint, refused } from '../../mcp/endpoint.ts'
import { RecollectError } from '../../model/errors.ts'
import { exit } from '../../platform/exit.ts'
import { keepCompiled } from '../../platform/kept-code.ts'
import { LITTLE_MEMORY, setFlags } from '../../platform/little-memory.ts'
import { ended, type ListenOptions } from '../../server/listen.ts'
import { archiveFolder, type GlobalOptions } from '../archive.ts'
import { type BackendOptions, openBackend, openGuestBackend, wholeNumber } from '../backend.ts'
import { checkConfig, checkSettings } from '../check-settings.ts'
import { openInBrowser } from '../open-link.ts'
import { paint } from '../paint.ts'
import { DEFAULT_PORT } from './mcp.ts'

export interface ServeOptions extends GlobalOptions, BackendOptions {
  port?: string
  host?: string
  tlsCert?: string
  tlsKey?: string
  insecure?: boolean
  /** A search node: answers people within their spaces. */
  hub?: boolean
  /** `--no-open`: only the link is printed. */
  open?: boolean
}

/** By then the page was opened, and its code is compiled. */
const LOADED_MS = 10_000

/** Serves the page, REST and MCP until Ctrl-C. */
export async function serve(options: ServeOptions): Promise<void> {
  checkSettings(options)
  await checkConfig(options)
  // Without a hub there is nothing to answer with.
  if (options.hub) (await import('../../hub/settings.ts')).joinedHub(archiveFolder(options))
  setFlags(LITTLE_MEMORY)
  setTimeout(keepCompiled, LOADED_MS).unref()
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const)
    process.on(signal, () => ending.abort())
  const backends = new Backends((sample) => openBackend({ ...options, sample }), options.sample === true)
  const serving = await listening(options, backends)
  // The first question should not have to wait for the reading of the files to begin.
  backends.current().shared.syncing()
  const isShown = options.open !== false && !options.hub && openInBrowser(serving.link())
  announce(serving, options, isShown)
  const stopAsking = onEnter(() => console.log(serving.link()))
  await ended(ending.signal)
  stopAsking()
  await serving.close()
  // Whoever is still connected, or standard input, must not hold the process.
  await exit(0)
}

/** Where it is to listen, as far as that is possible at all. */
export function whereToListen({ port, host, insecure, tlsCert, tlsKey }: ServeOptions): ListenOptions {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new RecollectError('INVALID_ARGUMENT', 'TLS needs both --tls-cert and --tls-key.')
  return {
    port: port === undefined ? DEFAULT_PORT : wholeNumber(port, 0, 65_535),
    host,
    insecure,
    tls: tlsCert && tlsKey ? { cert: tlsCert, key: tlsKey } : undefined,
  }
}

async function listening(options: ServeOptions, backends: Backends): Promise<Serving> {
  const mcp = { endpoint: mcpEndpoint, refused }
  const guests = (spaces: readonly string[]) => openGuestBackend(options, spaces)
  const folder = archiveFolder(options)
  const served = {
    ...whereToListen(options),
    backends,
    capabilities,
    mcp,
    folder,
    guests,
    isNode: options.hub,
  }
  try {
    return await serveHttp(served)
  } catch (error) {
    const isTaken = error instanceof RecollectError && error.code === 'PORT_UNAVAILABLE'
    if (!isTaken || options.port !== undefined) throw error
    process.stderr.write(`Port ${DEFAULT_PORT} is taken; another one is used.\n`)
    return await serveHttp({ ...served, port: 0 })
  }
}

function announce(serving: Serving, { json, hub }: ServeOptions, isShown: boolean): void {
  const open = serving.link()
  if (json) {
    console.log(JSON.stringify({ url: serving.url, open, mcp: `${serving.url}/mcp` }))
    return
  }
  const { bold, dim } = paint(process.stdout)
  console.log(
    `${isShown ? 'The page was opened in your browser. To open it in another:' : 'Open the page:'} ${bold(open)}`,
  )
  console.log(
    dim(`The link works once, within ten minutes${process.stdin.isTTY ? '; Enter prints a new one' : ''}.`),
  )
  console.log(
    dim(`REST ${serving.url}/api/v1   MCP ${serving.url}/mcp   tokens: recollect token create <name>`),
  )
  if (hub)
    console.log(
      dim(
        `For others: recollect token create <person> --space <name>; they sign in at ${serving.url} with it.`,
      ),
    )
  console.log(dim('Ctrl-C ends it.'))
}

function onEnter(action: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  // Whoever asked something before has left it paused.
  stdin.on('data', action).resume()
  return () => {
    stdin.off('data', action)
    stdin.pause()
  }
}
