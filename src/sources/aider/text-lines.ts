import fs from 'node:fs'

export interface TextLine {
  /** Where the line begins in the file, and where the next one does. */
  offset: number
  end: number
  text: string
}

const CHUNK = 256 * 1024
/** Of a longer line only this much is kept. */
const LONGEST = 1024 * 1024
const NEWLINE = 10

/** The lines of a file from `from` on. A last line without its newline is still being written, and left for later. */
export function* textLines(file: string, from: number): Generator<TextLine> {
  const fd = fs.openSync(file, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    let held: Buffer[] = []
    let heldBytes = 0
    let offset = from
    let position = from
    for (;;) {
      const read = fs.readSync(fd, chunk, 0, CHUNK, position)
      if (read === 0) return
      let start = 0
      for (;;) {
        const newline = chunk.subarray(0, read).indexOf(NEWLINE, start)
        if (newline < 0) break
        const end = position + newline + 1
        const bytes = Buffer.concat([...held, chunk.subarray(start, newline)])
        yield { offset, end, text: decoded(bytes) }
        held = []
        heldBytes = 0
        offset = end
        start = newline + 1
      }
      if (start < read && heldBytes < LONGEST) {
        held.push(Buffer.from(chunk.subarray(start, read)))
        heldBytes += read - start
      }
      position += read
    }
  } finally {
    fs.closeSync(fd)
  }
}

function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, Math.min(bytes.length, LONGEST)).replaceAll('\0', '')
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
