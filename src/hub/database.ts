import { isIP } from 'node:net'
import type { Client, ClientConfig } from 'pg'
import { type Address, isLocal, type Login } from './address.ts'
import { troubleOf } from './trouble.ts'

/** One connection to a server, loaded when it is first needed: who has no hub pays nothing for it. */
export interface Database {
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Hears of changes, which others say by NOTIFY. */
  listen(channel: string, hear: (payload: string) => void): Promise<void>
  /** Resolves when the connection is gone, whoever ended it. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

export interface Patience {
  connectMs?: number
  queryMs?: number
}

const CONNECT_MS = 10_000
/** A server that does not answer for so long is taken for gone: half-open connections look like this. */
const QUERY_MS = 60_000

export async function connect(
  address: Address,
  login: Login,
  { connectMs = CONNECT_MS, queryMs = QUERY_MS }: Patience = {},
): Promise<Database> {
  const { default: pg } = await import('pg')
  const config: ClientConfig = {
    host: address.host,
    port: address.port,
    database: address.database,
    user: login.user,
    password: login.password ?? '',
    // Never by the address: what `sslmode` there means differs between versions of the driver.
    ssl: (isLocal(address) && !address.tls) || address.insecure ? false : tls(address),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    application_name: 'recollect',
  }
  const client: Client = new pg.Client(config)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // Without a listener an error of a connection that idles would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    void client.end().catch(() => {})
    throw troubleOf(error, address)
  }
  const query = async <Row>(text: string, values?: unknown[]): Promise<Row[]> => {
    try {
      return (await client.query(text, values)).rows as Row[]
    } catch (error) {
      throw troubleOf(error, address)
    }
  }
  return {
    query,
    async listen(channel, hear) {
      client.on('notification', (told) => {
        if (told.channel === channel) hear(told.payload ?? '')
      })
      await query(`LISTEN ${channel}`)
    },
    ended,
    async close() {
      const closing = client.end().catch(() => {})
      // A connection that hangs says no goodbye.
      const patience = setTimeout(() => socketOf(client)?.destroy(), 1_000)
      await closing
      clearTimeout(patience)
    },
  }
}

function tls({ host, ca }: Address): ClientConfig['ssl'] {
  // An address is no name to ask for; the certificate is checked against it all the same.
  const name = isIP(host) ? {} : { servername: host }
  return { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...name, ...(ca && { ca }) }
}

function socketOf(client: Client): { destroy(): void } | undefined {
  return (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream
}
