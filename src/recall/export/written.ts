import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { changeSmallFile, textOf } from '../../platform/change-file.ts'

const contents = z.object({ files: z.array(z.object({ path: z.string(), sha256: z.string() })) })
const MOST = 1_000

/** What was exported where, by its content: some formats look like anybody's. */
export class WrittenExports {
  readonly #file: string

  constructor(folder: string) {
    this.#file = path.join(folder, 'exported.json')
  }

  add(file: string, sha256: string): void {
    changeSmallFile(this.#file, (text) => {
      const others = known(text).filter((each) => each.path !== file)
      return `${JSON.stringify({ files: [...others, { path: file, sha256 }].slice(-MOST) })}\n`
    })
  }

  /** Where exports were written, those that were removed since included. */
  paths(): string[] {
    return known(textOf(this.#file)).map((each) => each.path)
  }

  /** Whether the file is as we wrote it. */
  has(file: string): boolean {
    const found = known(textOf(this.#file)).find((each) => each.path === file)
    return found !== undefined && found.sha256 === sha256Of(file)
  }
}

function known(text: string | undefined) {
  try {
    return text === undefined ? [] : contents.parse(JSON.parse(text)).files
  } catch {
    // Nothing is known then: nothing is written over.
    return []
  }
}

function sha256Of(file: string): string {
  const hash = createHash('sha256')
  const handle = fs.openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(1 << 16)
    for (let got = fs.readSync(handle, bytes); got > 0; got = fs.readSync(handle, bytes))
      hash.update(bytes.subarray(0, got))
  } finally {
    fs.closeSync(handle)
  }
  return hash.digest('hex')
}
