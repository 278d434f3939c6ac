import type { Clean, SaidIn } from '../model/clean.ts'
import { align } from './align.ts'
import type { LiveMessage } from './live.ts'
import { sizeOf } from './page.ts'
import { cutAt, preview } from './preview.ts'

export interface InChat {
  chatIdx: number
  message: LiveMessage
}

export interface Compared {
  commonAlignment: {
    role: string
    content: string
    refs: { chatIdx: number; index: number; messageIdPrefix: string }[]
  }[]
  differences: { chatIdx: number; only: { index: number; role: string; content: string }[] }[]
  /** How many did not fit. */
  more: { commonAlignment: number; differences: number }
}

const SHOWN = 400
const SHOWN_DIFFERENCE = 120
const SHOWN_REFS = 8
const PREFIX = 8
/** A message of which so much stands in another chat is no difference. */
const MOSTLY = 0.5

/** What two or more of the chats have in common, and what only one of them has, each within its room. */
export function compared(
  narrative: InChat[],
  chats: SaidIn[],
  clean: Clean,
  room: { align: number; differ: number },
): Compared {
  const said = narrative
    .filter(({ message }) => message.text !== '' && message.role !== 'tool')
    .sort((a, b) => a.chatIdx - b.chatIdx || a.message.index - b.message.index)
  const texts = said.map(({ chatIdx, message }) => ({
    chat: chatIdx,
    index: message.index,
    role: message.role,
    text: clean(message.text, chats[chatIdx]),
  }))
  const { common, shared } = align(texts)
  const ids = new Map(said.map(({ chatIdx, message }) => [`${chatIdx} ${message.index}`, message.id]))
  const entries = common.map(({ role, content, refs, words }, order) => ({
    order,
    weight: words * (new Set(refs.map((ref) => ref.chat)).size - 1),
    entry: {
      role,
      content: content.length > SHOWN ? `${cutAt(content, SHOWN)}…` : content,
      refs: refs.slice(0, SHOWN_REFS).map(({ chat, index }) => ({
        chatIdx: chat,
        index,
        messageIdPrefix: (ids.get(`${chat} ${index}`) ?? '').slice(0, PREFIX),
      })),
    },
  }))
  const shownEntries = fitting(
    entries.sort((a, b) => b.weight - a.weight || a.order - b.order),
    room.align,
    ({ entry }) => entry,
  )
  const only = said.flatMap(({ chatIdx, message }, i) =>
    shared[i]! < MOSTLY
      ? [
          {
            chatIdx,
            index: message.index,
            role: message.role,
            content: preview(texts[i]!.text, SHOWN_DIFFERENCE),
          },
        ]
      : [],
  )
  // Requests say best what a chat is about.
  const ranked = only.sort((a, b) => Number(b.role === 'user') - Number(a.role === 'user'))
  const shownOnly = fitting(fairly(ranked, chats.length), room.differ, (each) => each)
  return {
    commonAlignment: shownEntries.sort((a, b) => a.order - b.order).map(({ entry }) => entry),
    differences: Array.from({ length: chats.length }, (_, chatIdx) => ({
      chatIdx,
      only: shownOnly
        .filter((each) => each.chatIdx === chatIdx)
        .sort((a, b) => a.index - b.index)
        .map(({ index, role, content }) => ({ index, role, content })),
    })),
    more: {
      commonAlignment: entries.length - shownEntries.length,
      differences: only.length - shownOnly.length,
    },
  }
}

function fitting<T>(items: T[], room: number, shown: (item: T) => unknown): T[] {
  let left = room
  const kept: T[] = []
  for (const item of items) {
    left -= sizeOf(shown(item))
    if (left < 0) break
    kept.push(item)
  }
  return kept
}

/** One of each chat in turn, so that no chat takes all the room. */
function fairly<T extends { chatIdx: number }>(items: T[], chats: number): T[] {
  const queues = Array.from({ length: chats }, (_, chatIdx) =>
    items.filter((each) => each.chatIdx === chatIdx),
  )
  const turns: T[] = []
  for (let i = 0; turns.length < items.length; i++)
    for (const queue of queues) if (queue[i]) turns.push(queue[i]!)
  return turns
}
