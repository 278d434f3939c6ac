import type { Caller } from '../../src/service/caller.ts'
import { call, type Outcome, type Service } from '../../src/service/service.ts'

/** What is right: messages where they are known, else chats; any of them will do. */
export interface Wanted {
  messages: Set<string>
  chats: Set<string>
}

export interface Walk {
  /** The call that brought the evidence, from 1; nothing where none did within the limits. */
  reached?: number
  calls: number
  characters: number
  /** Calls that failed, or brought nothing that was not known before. */
  wrongTurns: number
  /** The first answer had the evidence, and a search that was proposed instead of it has not. */
  lost: boolean
  confidence: number
}

const MOST_CALLS = 3
export const MOST_CHARACTERS = 9_000
const CALLER: Caller = { kind: 'agent', budget: 10_000 }

interface Action {
  tool: string
  args: Record<string, unknown>
}

/** An agent without a model: it asks once, then follows the first thing that guidance proposes, as it stands. */
export async function walked(
  service: Service,
  query: string,
  wanted: Wanted,
  messagesOf: (chat: string) => string[],
): Promise<Walk> {
  const walk: Walk = { calls: 0, characters: 0, wrongTurns: 0, lost: false, confidence: 0 }
  const known = new Set<string>()
  let next: Action | undefined = { tool: 'search_conversations', args: { intent_query: query } }
  let hadIt = false
  while (next && walk.calls < MOST_CALLS) {
    const { tool, args }: Action = next
    const { answer }: Outcome = await call(service, tool, args, CALLER)
    walk.calls++
    walk.characters += JSON.stringify(answer ?? {}).length
    const seen = answer ? seenIn(answer, messagesOf) : new Set<string>()
    const has = [...seen].some((each) =>
      wanted.messages.size > 0 ? wanted.messages.has(each) : wanted.chats.has(each),
    )
    if (has && walk.reached === undefined && walk.characters <= MOST_CHARACTERS) walk.reached = walk.calls
    if (walk.calls === 1) {
      hadIt = has
      walk.confidence = Number((answer as { confidence?: number })?.confidence ?? 0)
    } else {
      // Who reads a chat learns more of what a snippet showed.
      const isRead = tool === 'gather_chats' && seen.size > 1
      if (!isRead && [...seen].every((each) => known.has(each))) walk.wrongTurns++
      const goesOn = tool === 'gather_chats' || args.cursor !== undefined
      if (hadIt && !has && !goesOn) walk.lost = true
    }
    for (const each of seen) known.add(each)
    next = (answer as { guidance?: { nextActions: Action[] } } | undefined)?.guidance?.nextActions[0]
  }
  return walk
}

/** Ids of the chats and messages that an answer shows. */
function seenIn(answer: object, messagesOf: (chat: string) => string[]): Set<string> {
  const seen = new Set<string>()
  const { results, text, chat, messages } = answer as {
    results?: { chatId: string; snippets: { index: number }[] }[]
    text?: string
    chat?: { id: string }
    messages?: { index: number }[]
  }
  const see = (id: string, indices: number[]) => {
    const of = messagesOf(id)
    seen.add(of[0]!)
    for (const index of indices) seen.add(of[index + 1]!)
  }
  for (const { chatId, snippets } of results ?? [])
    see(
      chatId,
      snippets.map(({ index }) => index),
    )
  let current = ''
  for (const line of (text ?? '').split('\n')) {
    const [, index] = /^#(\d+) /.exec(line) ?? []
    if (index !== undefined) see(current, [Number(index)])
    else if (messagesOf(line.split(' ')[0]!).length > 0) {
      current = line.split(' ')[0]!
      see(current, [])
    }
  }
  if (chat)
    see(
      chat.id,
      (messages ?? []).map(({ index }) => index),
    )
  return seen
}
