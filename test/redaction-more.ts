/**
 * A second corpus of secrets, after the makers' own documentation and grammars: other services, places and
 * sentences than the first. Every value is drawn here; none is or was a real one.
 */

import { alnum, drawFrom, hex, password, random, strong } from './redaction-drawn.ts'
import { FORMS } from './redaction-forms.ts'
import { NAMED, PLACES, PROSE, TOKENS } from './redaction-places.ts'

export interface More {
  group: 'form' | 'named' | 'place' | 'prose'
  text: string
  secret: string
}

/** Which have no form of their own: they count where a name says what they are. */
const FORMLESS = new Set(['Hashnode', 'Zendesk', 'Upstash', 'Confluent Cloud', 'Mailgun new', 'Klaviyo'])

const AROUND: ((value: string) => string)[] = [
  (v) => `I put ${v} into it and nothing happened`,
  (v) => `{"value":"${v}","ok":true}`,
  (v) => `curl https://api.example.com/v1 -H 'X-Custom: ${v}'`,
  (v) => `错误：${v}，为什么？`,
  (v) => `log line [${v}] 401`,
  (v) => `const t = '${v}'`,
]

export function moreCorpus(): More[] {
  drawFrom(77)
  const lines: More[] = []
  const add = (group: More['group'], secret: string, text: string) => lines.push({ group, secret, text })
  for (const [name, make] of Object.entries(FORMS)) {
    if (FORMLESS.has(name)) continue
    for (let n = 0; n < 3; n++) {
      const value = make()
      add('form', lastPart(value), AROUND[random(AROUND.length)]!(value))
    }
  }
  for (const place of NAMED) for (const value of [password(), strong()]) add('named', value, place(value))
  for (const place of PLACES)
    for (const value of [password(), strong()]) {
      const text = place(value)
      add('place', shownIn(text, value), text)
    }
  for (const place of TOKENS) for (const value of [alnum(40), hex(32)]) add('named', value, place(value))
  for (const place of PROSE)
    for (const value of [password(), strong(), alnum(20)]) add('prose', value, place(value))
  return lines
}

/** Of an address, what is secret in it. */
function lastPart(value: string): string {
  return /sig=(.+)$/.exec(value)?.[1] ?? /AccountKey=([^;]+)/.exec(value)?.[1] ?? value.split(/[ |]/).at(-1)!
}

function shownIn(text: string, value: string): string {
  if (text.includes(value)) return value
  if (text.includes(encodeURIComponent(value))) return encodeURIComponent(value)
  return Buffer.from(`shop:${value}`).toString('base64').replace(/=+$/, '')
}
