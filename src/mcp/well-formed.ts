import { Transform } from 'node:stream'
import { malformed, notJson, tooLong } from './malformed.ts'

/** As many bytes as the library takes: with more it would hear nothing ever after. */
const LONGEST = 10 * 1024 * 1024 - 1
const NEWLINE = 10

/** Lets lines through that are messages, and answers the others. */
export function wellFormed(answer: (text: string) => void): Transform {
  let parts: Buffer[] = []
  let length = 0
  const say = (wrong: object) => answer(`${JSON.stringify({ jsonrpc: '2.0', ...wrong })}\n`)
  const checked = (line: Buffer): string | undefined => {
    // Also without the byte order mark that shells of Windows write before what they pipe.
    const text = line.toString('utf8').trim()
    if (text === '') return undefined
    const wrong = wrongWith(text)
    if (wrong?.id !== undefined) say(wrong)
    return wrong ? undefined : `${text}\n`
  }
  /** Of a line that is too long nothing is kept. */
  const keep = (part: Buffer) => {
    length += part.length
    if (length > LONGEST) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const ended = (): string | undefined => {
    const line = length > LONGEST ? undefined : Buffer.concat(parts)
    if (!line) say(tooLong(LONGEST))
    parts = []
    length = 0
    return line && checked(line)
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, end + 1))
        from = end + 1
        const line = ended()
        if (line) this.push(line)
      }
      keep(chunk.subarray(from))
      done()
    },
    flush(done) {
      if (parts.length > 0) this.push(Buffer.concat(parts))
      done()
    },
  })
}

function wrongWith(text: string) {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return notJson()
  }
  return malformed(message)
}
