import { z } from 'zod'
import { contextPlace, type FailureCode, type Place } from '../../context/place.ts'
import { cutAt } from '../../recall/preview.ts'
import type { Deps } from '../capability.ts'

export const workspace = z.string().optional().describe('Folder; default: the one you work in')
export const apply = z.boolean().optional().describe('false (default): only show the diff')

/** Where the context file of a call is. */
export function placeOf(deps: Deps, named: string | undefined, failure: FailureCode): Place {
  const { machine, caller } = deps
  return contextPlace({ workspace: named, env: machine.env, root: caller.workspace }, failure)
}

/** A diff that would not fit is cut at its end, and says so. */
export function fittingDiff<T extends { diff: string }>({ clean, room: budget }: Deps, whole: T): T {
  const answer = clean(whole)
  let fitting = answer
  for (let room = budget; JSON.stringify(fitting).length > budget && room > 100; room *= 0.8) {
    const diff = cutAt(answer.diff, Math.floor(room))
    fitting = { ...answer, diff: `${diff}\n… (${answer.diff.length - diff.length} more characters)` }
  }
  return fitting
}
