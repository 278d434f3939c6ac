import crypto from 'node:crypto'
import { type Json, list, millis, object, string, words } from '../json.ts'
import type { Found } from '../source.ts'
import { decoded, textOfHtml } from './html.ts'
import { importOfChats, importOfText } from './import.ts'
import { labelled } from './labels.ts'

const ABOUT = {
  ...labelled('gemini'),
  looksFor: "Google Takeout's activity of Gemini Apps (MyActivity.json or MyActivity.html)",
} as const

/** Records of other products look the same. */
const PRODUCT = /\b(gemini|bard)\b/i

/** Takeout's list of what was done in Gemini Apps, as JSON. There are no chats in it: each record is one request. */
const activity = importOfChats({ ...ABOUT, recognise: isActivity }, function* (record) {
  const answer = list(record.safeHtmlItem).map((item) => textOfHtml(string(object(item)?.html) ?? ''))
  yield* foundChat(string(record.title) ?? '', millis(record.time), answer.join('\n\n'))
})

function isActivity({ header, products, title, time }: Json): boolean {
  const isGemini = [header, ...list(products)].some((name) => PRODUCT.test(string(name) ?? ''))
  return isGemini && typeof title === 'string' && typeof time === 'string'
}

const page = importOfText(ABOUT, {
  fits: (head) => /<html/i.test(head) && /outer-cell/.test(head) && PRODUCT.test(head),
  read: readPage,
})

export const gemini = { ...activity, text: page.text! }

function* readPage(html: string): Generator<Found> {
  for (const cell of html.split(/<div class="outer-cell[^"]{0,200}">/).slice(1)) {
    const header = /<div class="header-cell[^"]{0,200}">([\s\S]{0,500}?)<\/div>/.exec(cell)?.[1]
    if (!PRODUCT.test(header ?? '')) continue
    // The first of the cells with words has the record; the others say where it came from.
    const [, content = ''] = cell.split(/<div class="content-cell[^"]{0,200}">/, 2)
    const lines = content.split(/<br\s*\/?>/i)
    const stamp = lines.findIndex((line, at) => at > 0 && isTime(decoded(line)))
    if (stamp < 0) continue
    const title = textOfHtml(lines.slice(0, stamp).join('<br>'))
    yield* foundChat(title, timeOf(decoded(lines[stamp]!)), textOfHtml(lines.slice(stamp + 1).join('<br>')))
  }
}

/** What else is listed, in English; in other languages nobody knows what is no prompt. */
const NO_PROMPT = /^(Used|Created|Gave feedback|Shared|Deleted|Viewed|Selected|Visited|Turned)\b/

function* foundChat(title: string, at: number | undefined, answer: string): Generator<Found> {
  const text = title.replace(/^Prompted\s+/, '').trim()
  if (text === '' || (NO_PROMPT.test(text) && !title.startsWith('Prompted'))) return
  const moment = at === undefined ? 'undated' : new Date(at).toISOString().slice(0, 19)
  const id = `${moment}-${crypto.createHash('sha256').update(text).digest('hex').slice(0, 12)}`
  const time = at !== undefined && { createdAt: at }
  yield {
    chat: { source: 'gemini', id, ...time, ...(at !== undefined && { updatedAt: at }), format: 'takeout' },
  }
  yield { chatId: id, message: { id: 'request', order: 0, role: 'user', kind: 'request', text, ...time } }
  const said = words(answer)
  if (said)
    yield {
      chatId: id,
      message: { id: 'answer', order: 1, role: 'assistant', kind: 'answer', text: said, ...time },
    }
}

function isTime(line: string): boolean {
  return line.length < 80 && !line.includes('<') && /\b20\d\d\b/.test(line) && /\d{1,2}[:.]\d\d/.test(line)
}

/** Hours from the world's clock, of names that mean one zone. */
const ZONES: Record<string, number> = {
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  WET: 0,
  WEST: 1,
  JST: 9,
  KST: 9,
  MSK: 3,
}

/** In the language of the account: nothing where it is not one that is understood, or its zone is not known. */
function timeOf(line: string): number | undefined {
  const text = line.replace(/[\u202f\u00a0]/g, ' ').trim()
  const zone = /\s([A-Z]{2,5})$/.exec(text)?.[1]
  const hours = zone === undefined ? undefined : ZONES[zone]
  const isKnown = zone !== undefined && /^(UTC|GMT|[ECMP][SD]T)$/.test(zone)
  const offset = /\sGMT([+-])(\d{1,2})(?::?(\d\d))?$/.exec(text)
  if (!isKnown && hours === undefined && !offset) return undefined
  if (isKnown) return millis(Date.parse(text))
  const clock = Date.parse(`${text.replace(/\s\S+$/, '')} UTC`)
  const ahead = offset
    ? (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) + Number(offset[3] ?? 0) / 60)
    : hours!
  return Number.isNaN(clock) ? undefined : millis(clock - ahead * 3_600_000)
}
