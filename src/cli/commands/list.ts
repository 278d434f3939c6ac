import type { Answers } from '../../capabilities/index.ts'
import { type CallOptions, type OriginOptions, originIn, windowOf, withGate } from '../call.ts'
import { EXIT } from '../errors.ts'
import { dateTime, tilde, wholeNumber } from '../format.ts'
import { timeWithoutChats } from '../no-chats.ts'
import { fit, oneLine, pad, paint } from '../paint.ts'
import { noteLines, shortId } from '../results.ts'

interface Options extends CallOptions, OriginOptions {
  source?: string
  workspace?: string
  since?: string
  until?: string
  title?: string
  starred?: boolean
  subagents?: boolean
  limit?: string
  offset?: string
}

type List = Answers['list_chats']
const MOST_AT_ONCE = 200

export async function list(options: Options): Promise<void> {
  const limit = wholeNumber(options.limit, 'limit', 1) ?? 20
  const offset = wholeNumber(options.offset, 'offset') ?? 0
  await withGate(options, async (ask) => {
    const page = (left: number, cursor: string | undefined): Promise<List> =>
      ask('list_chats', {
        source: options.source,
        workspace: options.workspace,
        ...originIn(options),
        time_window: windowOf(options),
        title: options.title,
        ...(options.starred && { starred: true }),
        subagents: options.subagents,
        limit: Math.min(left, MOST_AT_ONCE),
        cursor,
      })
    const { chats, ...rest } = await page(offset + limit, undefined)
    let { nextCursor } = rest
    while (nextCursor !== undefined && chats.length < offset + limit) {
      const more = await page(offset + limit - chats.length, nextCursor)
      chats.push(...more.chats)
      nextCursor = more.nextCursor
    }
    const shown = { ...rest, chats: chats.slice(offset), ...(nextCursor !== undefined && { nextCursor }) }
    if (options.json) console.log(JSON.stringify(shown))
    else {
      const why = shown.chats.length === 0 ? await timeWithoutChats(ask, options) : undefined
      if (why) console.log(why)
      else for (const line of lines(shown)) console.log(line)
    }
    if (shown.chats.length === 0) process.exitCode = EXIT.notFound
  })
}

function* lines({ chats, notes }: List): Generator<string> {
  if (chats.length === 0) yield 'No chats match. `recollect status` shows what is in the archive.'
  const { dim, cyan } = paint(process.stdout)
  const columns = process.stdout.isTTY ? (process.stdout.columns ?? 100) : 120
  const sourceWidth = Math.max(0, ...chats.map((chat) => chat.source.length))
  for (const chat of chats) {
    const lead = `${dateTime(chat.updatedAt ?? undefined)}  ${pad(chat.source, sourceWidth)}  ${String(chat.messageCount).padStart(5)}  `
    const id = `${chat.pinned ? '★ ' : ''}${shortId(chat)}`
    const folder = chat.workspace && tilde(oneLine(chat.workspace))
    const where = [chat.author && `by ${oneLine(chat.author)} on ${oneLine(chat.machine ?? '?')}`, folder]
      .filter(Boolean)
      .join('  ')
    const room = Math.max(20, columns - lead.length - id.length - 2)
    const title = fit(oneLine(chat.title), room)
    const left = room - title.length - 2
    yield `${dim(lead)}${cyan(id)}  ${title}${left > 12 && where ? dim(`  ${fit(where, left)}`) : ''}`
  }
  yield* noteLines(notes)
}
