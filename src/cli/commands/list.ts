import { redactJson } from '../../platform/redact.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { dateTime, moment, tilde, wholeNumber } from '../format.ts'
import { fit, oneLine, pad, paint } from '../paint.ts'
import { shortId } from '../results.ts'

interface Options extends GlobalOptions {
  source?: string
  workspace?: string
  since?: string
  until?: string
  title?: string
  subagents?: boolean
  limit?: string
  offset?: string
}

export async function list(options: Options): Promise<void> {
  await withArchive(options, async (archive) => {
    const filter = {
      source: options.source,
      workspace: options.workspace,
      updatedFrom: moment(options.since),
      updatedTo: moment(options.until, true),
      titleContains: options.title,
      subagents: options.subagents,
    }
    const page = {
      limit: wholeNumber(options.limit, 'limit', 1),
      offset: wholeNumber(options.offset, 'offset'),
    }
    const chats = redactJson(await archive.listChats(filter, page))
    if (options.json) {
      console.log(JSON.stringify({ chats: chats.map(({ key: _, ...chat }) => chat) }))
      return
    }
    if (chats.length === 0) console.log('No chats. `recollect sync` reads what is on this machine.')
    const { dim, cyan } = paint(process.stdout)
    const columns = process.stdout.isTTY ? (process.stdout.columns ?? 100) : 120
    const sourceWidth = Math.max(0, ...chats.map((chat) => chat.source.length))
    for (const chat of chats) {
      const lead = `${dateTime(chat.updatedAt)}  ${pad(chat.source, sourceWidth)}  ${String(chat.messageCount).padStart(5)}  `
      const id = shortId({ chatId: chat.id })
      const where = chat.workspace ? tilde(chat.workspace) : ''
      const room = Math.max(20, columns - lead.length - id.length - 2)
      const title = fit(oneLine(chat.title), room)
      const left = room - title.length - 2
      console.log(
        `${dim(lead)}${cyan(id)}  ${title}${left > 12 && where ? dim(`  ${fit(where, left)}`) : ''}`,
      )
    }
  })
}
