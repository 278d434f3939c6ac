import { type Ask, type CallOptions, withGate } from '../call.ts'
import { assertInOrder, pastEnd, wholeNumber } from '../format.ts'
import { page } from '../pager.ts'
import { transcript } from '../transcript.ts'

export interface ShowOptions extends CallOptions {
  from?: string
  to?: string
  tools?: boolean
  thinking?: boolean
  pager?: boolean
}

export async function show(chatId: string, options: ShowOptions): Promise<void> {
  await withGate(options, (ask) => showChat(ask, chatId, options))
}

export async function showChat(ask: Ask, reference: string, options: ShowOptions): Promise<void> {
  // As answers cite it: `b6fb68b8#12` opens at the message with the index 12.
  const [, chatId = reference, index] =
    /^(?:context:\/\/sessions\/)?(.+?)(?:#m?(\d+))?$/.exec(reference) ?? []
  const from = wholeNumber(options.from, 'from') ?? (index === undefined ? undefined : Number(index))
  const to = wholeNumber(options.to, 'to')
  assertInOrder(from, to)
  const answer = await ask('read_chat', { chatId, from, to })
  if (from && answer.messages.length === 0) throw pastEnd(from, answer.chat.messageCount, 'message')
  if (options.json) console.log(JSON.stringify(answer))
  else await page(transcript(answer.chat, answer.messages, options), options.pager ?? true)
}
