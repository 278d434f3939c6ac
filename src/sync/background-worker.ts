import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { keepCompiled } from '../platform/kept-code.ts'
import { stepBack } from '../platform/step-back.ts'
import { sources } from '../sources/index.ts'
import type { BackgroundOptions, BackgroundState } from './background.ts'
import { readableBy } from './readable.ts'
import { watch } from './watch.ts'

/** The thread of `syncInBackground`. */
const TRY_AGAIN_MS = 10_000
/** By then the first look at all files is over, mostly. */
const LOADED_MS = 2_000

stepBack()

const options = workerData as BackgroundOptions
const stop = new AbortController()
parentPort?.on('message', () => stop.abort())
const tell = (state: BackgroundState) => parentPort?.postMessage(state)

setTimeout(keepCompiled, LOADED_MS).unref()
void run()

async function run(): Promise<void> {
  while (!stop.signal.aborted) {
    try {
      await keepInStep()
    } catch (error) {
      tell({ state: 'failed', reason: error instanceof Error ? error.message : String(error) })
      await sleep(TRY_AGAIN_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  parentPort?.close()
}

function chosen() {
  const { folder, machine, sources: ids, homes = [] } = options
  if (!ids) return readableBy(folder, machine)
  return { sources: sources.filter(({ id }) => ids.includes(id)), homes }
}

async function keepInStep(): Promise<void> {
  const read = chosen()
  const archive = openSqliteArchive(options.folder, {
    onReplaced: (what) => tell({ state: 'failed', reason: what }),
  })
  try {
    await watch({
      archive,
      sources: read.sources,
      machine: options.machine,
      homes: read.homes,
      signal: stop.signal,
      onProgress: ({ bytesDone, bytes }) => tell({ state: 'reading', done: bytesDone, total: bytes }),
      onSynced: () => tell({ state: 'in step' }),
      onWaiting: (pid) => tell({ state: 'in step', by: pid }),
    })
  } finally {
    await archive.close()
  }
}
