import { type CallOptions, withGate } from '../call.ts'
import { EXIT } from '../errors.ts'
import { wholeNumber } from '../format.ts'
import { oneLine, paint } from '../paint.ts'

interface Options extends CallOptions {
  limit?: string
}

/** Chats and messages whose id begins so. */
export async function resolve(prefix: string, options: Options): Promise<void> {
  await withGate(options, async (ask) => {
    const limit = wholeNumber(options.limit, 'limit', 1)
    const chats = await ask('resolve_ids', { chatIdPrefix: prefix, limit })
    const messages = await ask('resolve_ids', { messageIdPrefix: prefix, limit })
    const answer = {
      chats: chats.chats,
      messages: messages.messages,
      ambiguous: chats.chats.length + messages.messages.length > 1,
    }
    const isEmpty = answer.chats.length + answer.messages.length === 0
    if (isEmpty) process.exitCode = EXIT.notFound
    if (options.json) {
      console.log(JSON.stringify(answer))
      return
    }
    const { cyan, dim } = paint(process.stdout)
    for (const { chatId, title, source } of answer.chats)
      console.log(`chat     ${cyan(`${source}:${chatId}`)}  ${oneLine(title)}`)
    for (const { messageId, chatId, index, role, preview } of answer.messages)
      console.log(`message  ${cyan(messageId)}  ${dim(`${chatId} #${index} ${role}`)}  ${oneLine(preview)}`)
    if (isEmpty) console.log('Nothing begins so.')
  })
}
