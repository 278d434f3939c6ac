import type { Greeter } from '../../mcp/greeter.ts'
import { exit } from '../../platform/exit.ts'
import type { GlobalOptions } from '../archive.ts'
import { type BackendOptions, openBackend, wholeNumber } from '../backend.ts'
import { checkConfig, checkSettings } from '../check-settings.ts'
import { fail } from '../errors.ts'

interface Options extends GlobalOptions, BackendOptions {
  http?: string | boolean
  host?: string
  /** `--no-token`: anyone on this machine may ask. */
  token?: boolean
  insecure?: boolean
  tlsCert?: string
  tlsKey?: string
}

export const DEFAULT_PORT = 3939

/** Serves agents over MCP: on stdin and stdout, or over HTTP. */
export async function mcp(options: Options, greeter?: Greeter): Promise<void> {
  const port = portFrom(options.http ?? process.env.MCP_PORT)
  checkSettings(options)
  const backend = openBackend(options)
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const)
    process.on(signal, () => ending.abort())
  try {
    if (port === undefined) {
      const { serveOverStdio } = await import('../../mcp/stdio.ts')
      await serveOverStdio(backend.shared, ending.signal, async () => await checkConfig(options), greeter)
    } else {
      await checkConfig(options)
      const { serveOverHttp } = await import('../../mcp/http.ts')
      await serveOverHttp(backend.shared, {
        port,
        host: options.host,
        folder: await backend.folder(),
        open: options.token === false,
        insecure: options.insecure,
        tls: options.tlsCert && options.tlsKey ? { cert: options.tlsCert, key: options.tlsKey } : undefined,
        signal: ending.signal,
      })
    }
  } catch (error) {
    fail(error)
  } finally {
    await backend.close()
  }
  // Standard input may be held open by whoever started us.
  await exit()
}

function portFrom(given: string | boolean | undefined): number | undefined {
  if (given === undefined || given === '' || given === false) return undefined
  return given === true ? DEFAULT_PORT : wholeNumber(given, 0, 65_535)
}
