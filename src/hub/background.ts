import { Worker } from 'node:worker_threads'
import { codeBeside } from '../platform/code-beside.ts'
import { hasHub } from './settings.ts'

/** What the thread tells of itself. */
export type HubNews = { exchanged: { pushed: number; pulled: number } } | { trouble: string }

export interface HubBehind {
  stop(): Promise<void>
}

/** A hub that is joined while this runs is noticed so soon. */
const LOOK_MS = 2_000
const STOP_MS = 2_000
/** A thread that died is started again after so long. */
const RESTART_MS = 30_000

/**
 * Exchanges chats with the hub in a thread of its own, where one was joined: neither answers nor the reading of files
 * wait for a server, and who has no hub pays for one look at a file now and then.
 */
export function hubBehind(folder: string, onNews: (news: HubNews) => void = () => {}): HubBehind {
  let worker: Worker | undefined
  let notBefore = 0
  let gone = Promise.resolve()
  const look = () => {
    if (worker || Date.now() < notBefore || !hasHub(folder)) return
    const thread = new Worker(codeBeside('hub-worker', import.meta.url), {
      workerData: { folder },
      stdout: true,
      stderr: true,
    })
    worker = thread
    thread.unref()
    thread.on('message', onNews)
    thread.on('error', (error) => {
      notBefore = Date.now() + RESTART_MS
      onNews({ trouble: error.message })
    })
    gone = new Promise((resolve) =>
      thread.once('exit', () => {
        worker = undefined
        resolve()
      }),
    )
  }
  look()
  const looking = setInterval(look, LOOK_MS).unref()
  return {
    async stop() {
      clearInterval(looking)
      worker?.postMessage('stop')
      const patience = setTimeout(() => void worker?.terminate(), STOP_MS)
      await gone
      clearTimeout(patience)
    },
  }
}
