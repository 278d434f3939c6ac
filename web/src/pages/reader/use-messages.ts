import { useQueries } from '@tanstack/react-query'
import { get } from '../../lib/api.ts'
import { chatApi } from '../../lib/route.ts'
import type { MessagePage, ShownMessage } from '../../lib/types.ts'
import { wholeMessage } from './whole-message.ts'

export const PAGE = 50

/** What a tool gave back, and in which message: with what is attached there, where it is of this one alone. */
export type HeldResult = NonNullable<ShownMessage['toolResults']>[number] & {
  at: number
  attachments?: ShownMessage['attachments']
}

export interface Loaded {
  at: (index: number) => ShownMessage | undefined
  /** What the call with this id gave back. */
  resultOf: (callId: string) => HeldResult | undefined
  /** The message whose card shows this one: a tool's result stands with its call. */
  ownerOf: (index: number) => number
}

/** The pages of messages around what is in sight, fetched as they are needed and kept. `whole`: those that are wanted in full. */
export function useMessages(
  chat: string,
  total: number,
  inSight: number[],
  reveal: boolean,
  whole: ReadonlySet<number>,
): Loaded {
  const [first = 0, last = 0] = [inSight[0], inSight.at(-1)]
  const around = [Math.max(0, first - PAGE / 2), ...inSight, Math.min(total - 1, last + PAGE / 2)]
  const pages = total === 0 ? [] : [...new Set(around.map((index) => Math.floor(index / PAGE)))]
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: ['chat', chat, 'messages', page, reveal],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const asked = { from: page * PAGE, to: page * PAGE + PAGE - 1, reveal: reveal || undefined }
        const { messages } = await get<MessagePage>(chatApi(chat, 'messages'), asked, signal)
        const shown = messages.map((message) =>
          message.cut && whole.has(message.index)
            ? wholeMessage(chat, message.index, reveal, signal)
            : message,
        )
        return { messages: await Promise.all(shown) }
      },
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: loadedOf,
  })
}

/** What is known of these messages together. */
export function loadedOf(pages: { data?: { messages: ShownMessage[] } }[]): Loaded {
  const messages = new Map<number, ShownMessage>()
  const callers = new Map<string, number>()
  const results = new Map<string, HeldResult>()
  for (const { data } of pages)
    for (const message of data?.messages ?? []) {
      messages.set(message.index, message)
      for (const { id } of message.toolCalls ?? []) callers.set(id, message.index)
      const { attachments, toolResults = [], index: at } = message
      for (const result of toolResults)
        results.set(result.callId, {
          ...result,
          at,
          ...(toolResults.length === 1 && attachments && { attachments }),
        })
    }
  return {
    at: (index) => messages.get(index),
    resultOf: (callId) => results.get(callId),
    ownerOf: (index) => {
      const message = messages.get(index)
      if (message?.kind !== 'tool' || message.text !== '' || !message.toolResults?.length) return index
      const owners = message.toolResults.map(({ callId }) => callers.get(callId))
      const owner = owners[0]
      return owner !== undefined && owners.every((each) => each !== undefined) ? owner : index
    },
  }
}
