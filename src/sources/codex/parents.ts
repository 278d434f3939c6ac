import { object, string } from '../json.ts'
import { rolloutNameOf, rolloutsBelow } from './rollout-files.ts'
import { openStored } from './stored.ts'
import type { IsParents, Thread } from './thread.ts'

/** The turns of the thread that this one was copied from, where its rollout lies beside; looked up once. */
export function parentsTurns(file: string, thread: Thread): IsParents {
  let turns: Set<string> | undefined
  let isLooked = false
  return (id) => {
    if (!isLooked) turns = turnsOf(file, thread.forkOf ?? thread.parentId)
    isLooked = true
    return turns?.has(id)
  }
}

function turnsOf(file: string, threadId: string | undefined): Set<string> | undefined {
  const home = /^(.*)[\\/](?:archived_)?sessions[\\/]/.exec(file)?.[1]
  if (!threadId || home === undefined) return undefined
  const turns = new Set<string>()
  for (const each of rolloutsBelow(home)) {
    if (!each.includes(threadId) || rolloutNameOf(each)?.threadId !== threadId) continue
    try {
      for (const { value } of openStored(each).lines(0, (line) => !line.includes('"turn_id"'))) {
        const id = string(object(object(value)?.payload)?.turn_id)
        if (id) turns.add(id)
      }
    } catch {
      // Its own reading reports it.
    }
  }
  return turns.size > 0 ? turns : undefined
}
