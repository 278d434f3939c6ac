import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import type { HubNews } from './background.ts'
import { keepExchanging } from './keep.ts'

/** The thread of `hubBehind`. Ends when there is no hub any more. */
const { folder } = workerData as { folder: string }
const stop = new AbortController()
parentPort?.on('message', () => stop.abort())
const tell = (news: HubNews) => parentPort?.postMessage(news)

const archive = openSqliteArchive(folder)
let told = ''
void exchange()

async function exchange(): Promise<void> {
  try {
    await keepExchanging({
      archive,
      folder,
      signal: stop.signal,
      onExchanged(exchanged) {
        told = ''
        const pushed = exchanged.reduce((sum, each) => sum + each.pushed, 0)
        const pulled = exchanged.reduce((sum, each) => sum + each.pulled, 0)
        if (pushed + pulled > 0) tell({ exchanged: { pushed, pulled } })
      },
      onTrouble({ code, message }) {
        if (told !== code) tell({ trouble: message })
        told = code
      },
    })
  } finally {
    await archive.close()
    parentPort?.close()
  }
}
