import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RecollectError } from '../../model/errors.ts'

/** All that one import may unpack, however many zips it holds. */
export const MAX_UNPACKED_BYTES = 16 * 1024 ** 3

/** A folder of one's own for what is unpacked, named by us and gone at the end. */
export class Spool {
  readonly signal: AbortSignal | undefined
  readonly leave = () => this.close()
  folder: string | undefined
  count = 0
  left = MAX_UNPACKED_BYTES

  constructor(signal?: AbortSignal) {
    this.signal = signal
  }

  /** Writes a stream to a new file, named by us unless `as` says how; more than `most` bytes are refused. */
  async keep(stream: Readable, most: number, as = String(this.count++)): Promise<string> {
    const file = path.join(this.open(), as)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    const meter = new Transform({
      transform: (chunk: Buffer, _, done) => {
        most -= chunk.length
        this.left -= chunk.length
        if (most < 0 || this.left < 0) done(tooMuch())
        else done(null, chunk)
      },
    })
    try {
      const target = fs.createWriteStream(file, { flags: 'wx', mode: 0o600 })
      await pipeline(stream, meter, target, { signal: this.signal })
      return file
    } catch (error) {
      this.drop(file)
      throw error
    }
  }

  drop(file: string): void {
    fs.rmSync(file, { force: true })
  }

  open(): string {
    if (!this.folder) {
      this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-import-'))
      // Also when a second Ctrl-C ends the process at once.
      process.once('exit', this.leave)
    }
    return this.folder
  }

  close(): void {
    if (!this.folder) return
    fs.rmSync(this.folder, { recursive: true, force: true })
    process.off('exit', this.leave)
    this.folder = undefined
  }
}

function tooMuch(): RecollectError {
  return new RecollectError('UNSAFE_ZIP', `It unpacks to more than it says, or to more than ${limit()}.`)
}

export function limit(bytes = MAX_UNPACKED_BYTES): string {
  return `${bytes / 1024 ** 3} GB`
}
