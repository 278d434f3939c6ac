import { parentPort } from 'node:worker_threads'
import { ParcelWriter } from '../archive/sqlite/parcel-writer.ts'
import { sources } from '../sources/index.ts'
import { withReader } from '../sources/source.ts'
import { readUnit } from './read-unit.ts'
import { type Delivery, type GoOn, MOST_UNWRITTEN, type Order, PARCEL } from './reader-thread.ts'

/** A thread of `readInThreads`: reads units and makes what they tell ready to be written. */
const port = parentPort!
const parcels = new ParcelWriter(MOST_UNWRITTEN)
const bySource = new Map(sources.map((source) => [source.id, source]))
let mayDeliver = MOST_UNWRITTEN
let goOn = () => {}
let reading = Promise.resolve()

port.on('message', (told: Order | GoOn) => {
  if (told !== 'go on') {
    // One that fails ends the thread, and is read by whoever waits for it.
    reading = reading.then(() => read(told))
    return
  }
  mayDeliver++
  goOn()
})

async function read({ order, units, machines }: Order): Promise<void> {
  let weight = 0
  let unitsDone = 0
  const deliver = async (isLast: boolean): Promise<void> => {
    while (mayDeliver === 0) await new Promise<void>((resolve) => (goOn = resolve))
    mayDeliver--
    weight = 0
    const parcel = parcels.take()
    port.postMessage({ order, parcel, unitsDone, isLast } satisfies Delivery)
  }
  for (const { source, unit, known, machine } of units) {
    const reader = await withReader(bySource.get(source)!)
    for (const piece of readUnit(reader, unit, known, machines[machine]!, PARCEL)) {
      parcels.add(piece)
      weight += piece.weight
      const isFull =
        parcels.messages >= PARCEL.messages ||
        weight >= PARCEL.characters ||
        parcels.readings >= PARCEL.readings
      if (isFull) await deliver(false)
    }
    unitsDone++
  }
  await deliver(true)
}
