import { object, objects } from '../json.ts'
import type { JsonLine } from '../lines.ts'
import type { Found } from '../source.ts'
import { readRollout } from './rollout.ts'
import { openStored, type Stored } from './stored.ts'

/** A rollout as a chat of a relative, which Codex itself does not go on with. */
export function* readRolloutAs(source: string, file: string): Generator<Found> {
  for (const item of readRollout(file, undefined, openMutations)) {
    if (!('chat' in item)) yield item
    else {
      const { resume: _, ...chat } = item.chat
      yield { chat: { ...chat, source } }
    }
  }
}

/** The lines of a rollout in which one line may add several items, each as a line of its own. */
export function openMutations(file: string): Stored {
  const stored = openStored(file)
  return {
    ...stored,
    *lines(from, skip) {
      for (const line of stored.lines(from, skip)) yield* itemsIn(line)
    },
  }
}

/** Within its line an item has a place of its own; there are no more of them than that. */
const MOST_ITEMS = 4096

function* itemsIn(line: JsonLine): Generator<JsonLine> {
  const record = object(line.value)
  const payload = record?.type === 'history_mutation' ? object(record.payload) : undefined
  if (!record || payload?.operation !== 'append') yield line
  else
    for (const [at, item] of objects(payload.items).slice(0, MOST_ITEMS).entries())
      yield {
        offset: line.offset + at / MOST_ITEMS,
        end: line.end,
        value: { ...record, type: 'response_item', payload: item },
      }
}
