import type { GlobalOptions } from '../archive.ts'
import { type DeskOptions, openDesk, wholeNumber } from '../desk.ts'

interface Options extends GlobalOptions, DeskOptions {
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
export async function mcp(options: Options): Promise<void> {
  const port = portFrom(options.http ?? process.env.MCP_PORT)
  const desk = openDesk(options)
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
  try {
    if (port === undefined) {
      const { serveOverStdio } = await import('../../mcp/stdio.ts')
      await serveOverStdio(desk.shared, ending.signal)
    } else {
      const { serveOverHttp } = await import('../../mcp/http.ts')
      await serveOverHttp(desk.shared, {
        port,
        host: options.host,
        folder: await desk.folder(),
        open: options.token === false,
        insecure: options.insecure,
        tls: options.tlsCert && options.tlsKey ? { cert: options.tlsCert, key: options.tlsKey } : undefined,
        signal: ending.signal,
      })
    }
  } finally {
    await desk.close()
  }
  // Standard input may be held open by whoever started us.
  process.exit(0)
}

function portFrom(given: string | boolean | undefined): number | undefined {
  if (given === undefined || given === '' || given === false) return undefined
  return given === true ? DEFAULT_PORT : wholeNumber(given, 0, 65_535)
}
