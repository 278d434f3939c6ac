import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { hangUp, onTold, tell } from '../platform/beside-line.ts'
import { keepCompiled } from '../platform/kept-code.ts'
import { stepBack } from '../platform/step-back.ts'
import { sources } from '../sources/index.ts'
import type { BackgroundNews, BackgroundOrder } from './background.ts'
import { readableBy } from './readable.ts'
import { type Left, watch } from './watch.ts'

/** The thread or process of `syncInBackground`. */
const TRY_AGAIN_MS = 10_000
/** By then the first look at all files is over, mostly. */
const LOADED_MS = 2_000

stepBack('behind')

const stop = new AbortController()
const say = (news: BackgroundNews) => tell(news)

onTold((told: BackgroundOrder | 'stop') => {
  if (told === 'stop') stop.abort()
  else void run(told)
})
setTimeout(keepCompiled, LOADED_MS).unref()

async function run(order: BackgroundOrder): Promise<void> {
  while (!stop.signal.aborted) {
    try {
      const left = await keepInStep(order)
      if (left === undefined) continue
      say({ left })
      break
    } catch (error) {
      say({ state: 'failed', reason: error instanceof Error ? error.message : String(error) })
      await sleep(TRY_AGAIN_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  hangUp()
}

function chosen({ folder, machine, sources: ids, homes = [] }: BackgroundOrder) {
  if (!ids) return readableBy(folder, machine)
  return { sources: sources.filter(({ id }) => ids.includes(id)), homes }
}

async function keepInStep(order: BackgroundOrder): Promise<Left | undefined> {
  const read = chosen(order)
  const archive = openSqliteArchive(order.folder, {
    onReplaced: (what) => say({ state: 'failed', reason: what }),
  })
  try {
    return await watch({
      archive,
      sources: read.sources,
      machine: order.machine,
      homes: read.homes,
      signal: stop.signal,
      leavesMuch: order.part === 'little',
      endsWhenCalm: order.part === 'much',
      onProgress: ({ bytesDone, bytes }) => say({ state: 'reading', done: bytesDone, total: bytes }),
      onSynced: () => say({ state: 'in step' }),
      onWaiting: (pid) => say({ state: 'in step', by: pid }),
    })
  } finally {
    await archive.close()
  }
}
