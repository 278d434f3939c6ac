import type { ShownMessage } from '../../lib/types.ts'
import type { HeldResult, Loaded } from './use-messages.ts'

export interface Rows {
  /** It is shown as a part of another row, or folded away with others of its kind. */
  isElsewhere: (index: number) => boolean
  /** It begins a run of hidden messages. */
  runAt: (index: number) => { length: number; open: boolean } | undefined
  /** Somebody begins to speak here: it has a heading. */
  isFirst: (index: number) => boolean
  resultOf: (callId: string) => HeldResult | undefined
}

/** What an assistant's tool put in, and nobody said. */
export function isHidden({ kind, role }: ShownMessage): boolean {
  return kind === 'injected' || (role === 'system' && kind !== 'summary' && kind !== 'notice')
}

/** Which messages are rows of their own. */
export function rowsOf(loaded: Loaded, openRuns: ReadonlySet<number>): Rows {
  const hidden = (index: number) => {
    const message = loaded.at(index)
    return message !== undefined && isHidden(message)
  }
  const runStart = (index: number) => {
    while (hidden(index - 1)) index--
    return index
  }
  const isElsewhere = (index: number) =>
    loaded.ownerOf(index) !== index || (hidden(index - 1) && hidden(index) && !openRuns.has(runStart(index)))
  return {
    isElsewhere,
    runAt: (index) => {
      if (!hidden(index) || hidden(index - 1)) return undefined
      let length = 1
      while (hidden(index + length)) length++
      return { length, open: openRuns.has(index) }
    },
    isFirst: (index) => {
      const message = loaded.at(index)
      if (message?.kind === 'request' || message?.kind === 'delegated') return true
      if (message?.kind !== 'answer') return false
      let before = index - 1
      while (before >= 0 && loaded.at(before) && (isElsewhere(before) || hidden(before))) before--
      const last = loaded.at(before)
      return (
        last === undefined || (last.kind !== 'answer' && last.kind !== 'tool') || last.model !== message.model
      )
    },
    resultOf: loaded.resultOf,
  }
}
