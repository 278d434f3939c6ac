import type { Archive } from '../../archive/archive.ts'
import { redactJson } from '../../platform/redact.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { wholeNumber } from '../format.ts'
import { page } from '../pager.ts'
import { transcript } from '../transcript.ts'

export interface ShowOptions extends GlobalOptions {
  from?: string
  to?: string
  tools?: boolean
  thinking?: boolean
  pager?: boolean
  reveal?: boolean
}

export async function show(reference: string, options: ShowOptions): Promise<void> {
  await withArchive(options, (archive) => showChat(archive, reference, options))
}

export async function showChat(archive: Archive, reference: string, options: ShowOptions): Promise<void> {
  const chat = await archive.resolveChat(reference)
  const range = { from: wholeNumber(options.from, 'from'), to: wholeNumber(options.to, 'to') }
  const read = { chat, messages: await archive.messages(chat, range) }
  const { chat: shownChat, messages } = options.reveal ? read : redactJson(read)
  if (options.json) {
    const { key: _, ...header } = shownChat
    console.log(
      JSON.stringify({
        chat: header,
        messages: messages.map(({ key: _, order: __, ...message }) => message),
      }),
    )
  } else await page(transcript(shownChat, messages, options), options.pager ?? true)
}
