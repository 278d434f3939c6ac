import { EXPORT_HEADER, exportLines } from '../../sources/imports/export-lines.ts'
import type { LiveChat } from '../live.ts'
import type { Format } from './format.ts'

/** One document: chats with their messages. */
export const json: Format = {
  extension: 'json',
  mark: '{"recollect":1,',
  begin: '{"recollect":1,"kind":"chats","chats":[',
  *chat({ chat, messages }, number) {
    const { key: _, ...header } = chat
    const text = JSON.stringify({ ...header, messages: [] })
    yield `${number > 0 ? ',' : ''}\n${text.slice(0, -2)}`
    for (const [i, { order: __, ...message }] of messages.entries())
      yield `${i > 0 ? ',' : ''}\n  ${JSON.stringify(message)}`
    yield ']}'
  },
  end: '\n]}\n',
}

/** Our own lines, which `recollect import` reads. */
export const jsonl: Format = {
  extension: 'jsonl',
  mark: EXPORT_HEADER,
  begin: `${EXPORT_HEADER}\n`,
  *chat({ chat, messages }: LiveChat) {
    const { title, ...header } = chat
    // What stands in where nobody gave a title is not one.
    const given = title === '(no title)' ? header : { ...header, title }
    for (const line of exportLines(given, messages)) yield `${line}\n`
  },
  end: '',
}
