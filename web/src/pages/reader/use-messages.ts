import { useQueries } from '@tanstack/react-query'
import { get } from '../../lib/api.ts'
import { chatApi } from '../../lib/route.ts'
import type { ShownMessage, ToolResult } from '../../lib/types.ts'

export const PAGE = 50

export interface Loaded {
  at: (index: number) => ShownMessage | undefined
  /** What the call with this id gave back. */
  resultOf: (callId: string) => ToolResult | undefined
  /** The message whose card shows this one: a tool's result stands with its call. */
  ownerOf: (index: number) => number
}

/** The pages of messages around what is in sight, fetched as they are needed and kept. */
export function useMessages(chat: string, total: number, from: number, to: number, reveal: boolean): Loaded {
  const first = Math.max(0, Math.floor((from - PAGE / 2) / PAGE))
  const last = Math.min(Math.floor((total - 1) / PAGE), Math.floor((to + PAGE / 2) / PAGE))
  const pages = Array.from({ length: Math.max(0, last - first + 1) }, (_, number) => first + number)
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: ['chat', chat, 'messages', page, reveal],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        get<{ messages: ShownMessage[] }>(
          chatApi(chat, 'messages'),
          { from: page * PAGE, to: page * PAGE + PAGE - 1, reveal: reveal || undefined },
          signal,
        ),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: loadedOf,
  })
}

function loadedOf(pages: { data?: { messages: ShownMessage[] } }[]): Loaded {
  const messages = new Map<number, ShownMessage>()
  const callers = new Map<string, number>()
  const results = new Map<string, ToolResult>()
  for (const { data } of pages)
    for (const message of data?.messages ?? []) {
      messages.set(message.index, message)
      for (const { id } of message.toolCalls ?? []) callers.set(id, message.index)
      for (const result of message.toolResults ?? []) results.set(result.callId, result)
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
