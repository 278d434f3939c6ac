import { Transform } from 'node:stream'
import { malformed, notJson } from './malformed.ts'

/** Beyond this a line is the library's to refuse. */
const LONGEST = 10 * 1024 * 1024
const NEWLINE = 10

/** Lets lines through that are messages, and answers the others. */
export function wellFormed(answer: (text: string) => void): Transform {
  let parts: Buffer[] = []
  let length = 0
  const checked = (line: Buffer): boolean => {
    if (line.length > LONGEST) return true
    const text = line.toString('utf8').trim()
    if (text === '') return false
    const wrong = wrongWith(text)
    if (wrong?.id !== undefined) answer(`${JSON.stringify({ jsonrpc: '2.0', ...wrong })}\n`)
    return wrong === undefined
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([...parts, chunk.subarray(from, end + 1)])
        parts = []
        length = 0
        from = end + 1
        if (checked(line)) this.push(line)
      }
      const rest = chunk.subarray(from)
      length += rest.length
      if (rest.length > 0) parts.push(rest)
      if (length > LONGEST) {
        for (const part of parts) this.push(part)
        parts = []
      }
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
