import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { type Entry, entriesIn } from './entry.ts'
import { contextPlace, type Place } from './place.ts'

/** An empty workspace in a folder for temporary files, gone after the tests. */
export function emptyWorkspace(): Place {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-context-')))
  after(() => fs.rmSync(folder, { recursive: true, force: true }))
  return contextPlace({ workspace: folder, env: {} }, 'READ_ERROR')
}

/** One with a context file of these bytes. */
export function workspaceWith(content: string | Buffer): Place {
  const place = emptyWorkspace()
  fs.writeFileSync(place.file, content)
  return place
}

export function contentOf(place: Place): string {
  return fs.readFileSync(place.file, 'utf8')
}

export function entriesOf(place: Place): Entry[] {
  return entriesIn(fs.readFileSync(place.file))
}

/** The local time of this text, for code that takes a clock. */
export function at(time: string): () => number {
  return () => new Date(time.replace(' ', 'T')).getTime()
}
