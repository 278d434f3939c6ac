import type { Role } from '../model/chat.ts'
import type { Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { type AgentMessage, agentMessage, isWordless } from './agent-message.ts'
import { GIVE_IDS } from './chosen.ts'
import { type Compared, compared, type InChat } from './compare.ts'
import { openChat } from './current.ts'
import type { Asker, LiveChat, LiveMessage } from './live.ts'
import { saidIn } from './live.ts'
import { type OriginFields, originOf } from './origin.ts'
import { cursorOf, fitted, placeOf, sizeOf } from './page.ts'
import { preview } from './preview.ts'

const DEFAULT_CHARS = 10_000

export interface GatherInput {
  chatIds: string[]
  includeTools?: boolean
  roles?: Role[]
  from?: number
  to?: number
  max_chars?: number
  cursor?: string
}

interface LeftOut {
  /** Messages that did not fit, the one that was cut included. */
  messages: number
  cursor?: string
  /** Arguments and results of tools that were shortened. */
  cutToolTexts?: number
  commonAlignment?: number
  differences?: number
  how: string
}

interface TimeRange {
  from: number | null
  to: number | null
}

export interface OneChat {
  chat: {
    id: string
    title: string
    source: string
    workspace?: string
    messageCount: number
    timeRange: TimeRange
  } & OriginFields
  messages: AgentMessage[]
  notFound?: NotFound[]
  leftOut?: LeftOut
}

export interface SeveralChats {
  meta: ({
    chatIdx: number
    id: string
    title: string
    source: string
    messageCount: number
    timeRange: TimeRange
    /** It was forked from another of these chats: so many messages are told there. */
    sharedWithFork?: number
  } & OriginFields)[]
  narrative: (AgentMessage & { chatIdx: number })[]
  commonAlignment?: Compared['commonAlignment']
  differences?: Compared['differences']
  notFound?: NotFound[]
  leftOut?: LeftOut
}

export interface NotFound {
  id: string
  error: string
}

/** The chats as one answer of at most `max_chars` characters of JSON; `clean` takes out what must not leave. */
export async function gatherChats(
  asker: Asker,
  input: GatherInput,
  clean: Clean,
): Promise<OneChat | SeveralChats> {
  const { chats, notFound } = await opened(asker, input.chatIds)
  if (chats.length === 0) {
    const [first] = notFound
    throw new RecollectError(
      'SESSION_NOT_FOUND',
      notFound.length === 1 ? first!.error : `Session not found: ${notFound.map(({ id }) => id).join(', ')}`,
      GIVE_IDS,
      { notFound },
    )
  }
  const budget = input.max_chars ?? DEFAULT_CHARS
  const view = { input, budget, clean, notFound }
  return chats.length === 1 ? oneChat(chats[0]!, view) : severalChats(chats, view)
}

interface View {
  input: GatherInput
  budget: number
  clean: Clean
  notFound: NotFound[]
}

const FRAME = 280

function oneChat(live: LiveChat, { input, budget, clean, notFound }: View): OneChat {
  const messages = chosen(live, input)
  const said = saidIn(live)
  const { id, title, source, workspace } = live.chat
  const answer: OneChat = {
    chat: clean(
      {
        id,
        title,
        source,
        ...(workspace && { workspace }),
        ...originOf(live.chat),
        messageCount: live.messages.length,
        timeRange: timeRange(live),
      },
      said,
    ),
    messages: [],
    ...(notFound.length > 0 && { notFound }),
  }
  const cut = { texts: 0 }
  const options = { tools: input.includeTools ?? true, mostToolText: toolText(budget, messages.length), cut }
  const { items, next } = fitted(
    messages.length,
    (i) => agentMessage(clean(messages[i]!, said), options),
    placeOf(input.cursor),
    budget - sizeOf(answer) - FRAME,
  )
  answer.messages = items
  const left = leftOut(messages.length, next, cut.texts)
  return left ? { ...answer, leftOut: left } : answer
}

function severalChats(chats: LiveChat[], { input, budget, clean, notFound }: View): SeveralChats {
  const { narrative, copies } = merged(chats, input)
  const said = chats.map(saidIn)
  const answer: SeveralChats = {
    meta: chats.map((live, chatIdx) => ({
      chatIdx,
      id: live.chat.id,
      title: preview(clean({ title: live.chat.title }, said[chatIdx]).title),
      source: live.chat.source,
      ...originOf({ origin: live.chat.origin }),
      messageCount: live.messages.length,
      timeRange: timeRange(live),
      ...(copies[chatIdx] && { sharedWithFork: copies[chatIdx] }),
    })),
    narrative: [],
    ...(notFound.length > 0 && { notFound }),
  }
  let more = { commonAlignment: 0, differences: 0 }
  // What the chats have in common is said once, with the first page.
  if (input.cursor === undefined) {
    const found = compared(narrative, said, clean, { align: budget * 0.25, differ: budget * 0.15 })
    answer.commonAlignment = found.commonAlignment
    answer.differences = found.differences
    more = found.more
  }
  const cut = { texts: 0 }
  const options = { tools: input.includeTools ?? true, mostToolText: toolText(budget, narrative.length), cut }
  const { items, next } = fitted(
    narrative.length,
    (i) => {
      const { chatIdx, message } = narrative[i]!
      return { chatIdx, ...agentMessage(clean(message, said[chatIdx]), options) }
    },
    placeOf(input.cursor),
    budget - sizeOf(answer) - FRAME,
  )
  answer.narrative = items
  const left = leftOut(narrative.length, next, cut.texts, more)
  return left ? { ...answer, leftOut: left } : answer
}

async function opened(asker: Asker, ids: string[]): Promise<{ chats: LiveChat[]; notFound: NotFound[] }> {
  const chats = new Map<string, LiveChat>()
  const notFound: NotFound[] = []
  for (const id of ids) {
    try {
      const live = await openChat(asker, id)
      chats.set(`${live.chat.source} ${live.chat.id}`, live)
    } catch (error) {
      if (!(error instanceof RecollectError) || error.code.startsWith('ARCHIVE_')) throw error
      notFound.push({ id, error: error.message })
    }
  }
  return { chats: [...chats.values()], notFound }
}

function chosen({ messages }: LiveChat, { roles, from, to, includeTools }: GatherInput): LiveMessage[] {
  return messages.filter(
    (message) =>
      message.index >= (from ?? 0) &&
      message.index <= (to ?? Number.MAX_SAFE_INTEGER) &&
      (!roles || roles.includes(message.role)) &&
      // What tools added for the model's eyes was said by nobody.
      (message.kind !== 'injected' || roles?.includes('system')) &&
      (message.text !== '' || isWordless(message) || (includeTools !== false && hasTools(message))),
  )
}

function hasTools({ toolCalls, toolResults }: LiveMessage): boolean {
  return Boolean(toolCalls?.length || toolResults?.length)
}

/** All messages in time order. A fork repeats its original's beginning: that is told once. */
function merged(chats: LiveChat[], input: GatherInput): { narrative: InChat[]; copies: number[] } {
  const copies = chats.map(() => 0)
  const originals = new Set<string>()
  const name = (live: LiveChat, message: LiveMessage) => `${live.chat.source} ${message.id}`
  for (const live of chats)
    for (const message of live.messages) if (!message.copy) originals.add(name(live, message))
  const timed: (InChat & { at: number })[] = []
  chats.forEach((live, chatIdx) => {
    let at = live.chat.createdAt ?? 0
    for (const message of chosen(live, input)) {
      at = Math.max(at, message.createdAt ?? 0)
      if (message.copy) {
        const original = name(live, message)
        if (originals.has(original)) {
          copies[chatIdx]!++
          continue
        }
        // Two forks of a chat that is not here: the first one tells.
        originals.add(original)
      }
      timed.push({ chatIdx, message, at })
    }
  })
  timed.sort((a, b) => a.at - b.at || a.chatIdx - b.chatIdx || a.message.index - b.message.index)
  return { narrative: timed, copies }
}

/** A single message is given all the room there is. */
function toolText(budget: number, messages: number): number {
  return Math.max(200, Math.floor(messages === 1 ? budget * 0.6 : budget / 12))
}

function leftOut(
  count: number,
  next: { item: number; offset: number } | undefined,
  cutToolTexts: number,
  more = { commonAlignment: 0, differences: 0 },
): LeftOut | undefined {
  if (!next && cutToolTexts === 0 && !more.commonAlignment && !more.differences) return undefined
  const how = [
    next && 'Call again with this cursor and the same arguments, or raise max_chars.',
    cutToolTexts > 0 && 'A message with its tools in full: from = to = its index, with a larger max_chars.',
    (more.commonAlignment || more.differences) && 'More of what is shared or differs: raise max_chars.',
  ]
  return {
    messages: next ? count - next.item : 0,
    ...(next && { cursor: cursorOf(next) }),
    ...(cutToolTexts > 0 && { cutToolTexts }),
    ...(more.commonAlignment > 0 && { commonAlignment: more.commonAlignment }),
    ...(more.differences > 0 && { differences: more.differences }),
    how: how.filter(Boolean).join(' '),
  }
}

function timeRange({ chat }: LiveChat): TimeRange {
  return { from: chat.createdAt ?? null, to: chat.updatedAt ?? null }
}
