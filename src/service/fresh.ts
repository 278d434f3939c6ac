import { setTimeout as sleep } from 'node:timers/promises'
import { RecollectError } from '../model/errors.ts'
import type { Service } from './answering.ts'

/** How long a call waits for the first chats ever to be read. */
const FIRST_SYNC_MS = 10_000

/** Where nothing has been synced ever, the first sync is given a moment. */
export async function whenSynced<T>(service: Service, work: () => Promise<T>): Promise<T> {
  const patience = Date.now() + FIRST_SYNC_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isFirstSync(error, service)) throw error
      if (Date.now() > patience) throw stillSyncing(error as RecollectError)
      await sleep(100)
    }
  }
}

function isFirstSync(error: unknown, { syncing }: Service): boolean {
  const isEmpty = error instanceof RecollectError && error.code === 'NO_SESSIONS'
  return isEmpty && /^(starting|reading)$/.test(syncing()?.state ?? '')
}

function stillSyncing({ code, message, details }: RecollectError): RecollectError {
  return new RecollectError(code, message, 'The first sync is running: try again in a moment.', details)
}
