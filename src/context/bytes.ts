import fs from 'node:fs'
import { RecollectError } from '../model/errors.ts'

/** UTF-16 marks itself; ours among it would make the file unreadable. */
export function refuseOtherEncodings(start: Buffer, file: string, code = 'READ_ERROR'): void {
  const mark = start.subarray(0, 2).toString('hex')
  if (mark !== 'fffe' && mark !== 'feff') return
  throw new RecollectError(code, `${file} is written in UTF-16.`, 'Save it as UTF-8.')
}

export function readAt(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  let filled = 0
  while (filled < bytes.length) {
    const got = fs.readSync(fd, bytes, filled, bytes.length - filled, from + filled)
    if (got === 0) break
    filled += got
  }
  return bytes.subarray(0, filled)
}

/** All of the file, for what has to see all of it. */
export function wholeFile(real: string): Buffer {
  const bytes = fs.readFileSync(real)
  refuseOtherEncodings(bytes, real)
  return bytes
}
