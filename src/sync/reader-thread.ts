import type { KnownUnit } from '../archive/archive.ts'
import type { Parcel } from '../archive/parcel.ts'
import type { Machine } from '../platform/machine.ts'
import type { FoundUnit } from './discover.ts'

/** What a thread that reads and the one that writes say to each other. */

/** Some units to be read one after the other. */
export interface Order {
  order: number
  units: OrderedUnit[]
  /** Of the units, by number. */
  machines: Machine[]
}

interface OrderedUnit {
  source: string
  unit: FoundUnit
  known: KnownUnit | undefined
  machine: number
}

/** A parcel is written: the thread may hand one more over. */
export type GoOn = 'go on'

export interface Delivery {
  order: number
  parcel: Parcel
  /** How many units of the order were read to their end by now. */
  unitsDone: number
  /** Nothing of the order is left. */
  isLast: boolean
}

/** How many parcels a thread may have handed over that are not written yet, beside the one that it fills: each lies in memory of its own. */
export const MOST_UNWRITTEN = 1
/** A parcel is handed over when it holds so many messages or characters: mostly all of a lot, as the words of each are merged later. */
export const PARCEL = { messages: 10_000, characters: 12_000_000, readings: 1_000 }
