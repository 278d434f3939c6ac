import type { Service } from '../service/service.ts'
import type { News } from './news.ts'

/** What all connections of one process share. */
export interface Shared extends Service {
  /** The most characters of an answer; without it, what the client is known to take. */
  maxChars?: number
  news: News
  /** When the one client of this process started it. */
  startedUsAt?: number
}
