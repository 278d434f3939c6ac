import type { Service } from '../service/service.ts'
import type { News } from './change-feed.ts'
import type { Entry } from './guard.ts'

/** What all connections of one process share. */
export interface Shared extends Service {
  /** The most characters of an answer; without it, what the client is known to take. */
  maxChars?: number
  news: News
  /** When the one client of this process started it. */
  startedUsAt?: number
}

/** Where MCP is served. */
export const MCP_PATH = '/mcp'

export interface Endpoint {
  /** One request that was let in. */
  answer(request: Request, entry: Pick<Entry, 'client' | 'scopes'>): Promise<Response>
  close(): Promise<void>
}

/** How a server speaks MCP: given by whoever starts it. */
export interface Speaking {
  endpoint(shared: Shared): Endpoint
  refused(refusal: { status: number; message: string; headers?: Record<string, string> }): Response
}
