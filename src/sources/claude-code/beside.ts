import fs from 'node:fs'
import path from 'node:path'
import { smallText } from '../../platform/small-text.ts'

/** More than one result can be: such a file is known by its beginning, as the transcript tells it. */
const LARGEST_OUTPUT = 64 * 1024 * 1024
/** A transcript that was copied has the record that another one begins with among its first. */
const BEGINNING = 256 * 1024
const MOST_TRANSCRIPTS = 5000

/** A long result that Claude Code moved to a file beside its session. */
export function outputBeside(transcript: string, name: string): string | undefined {
  const folders = path.dirname(transcript).split(path.sep)
  const place = folders.lastIndexOf('subagents')
  const session = place > 0 ? folders.slice(0, place).join(path.sep) : transcript.replace(/\.jsonl$/, '')
  return smallText(path.join(session, 'tool-results', path.basename(name)), LARGEST_OUTPUT) || undefined
}

/** The session that has this record too: a copy for the background does not name what it was made of. */
export function originBeside(transcript: string, uuid: string): string | undefined {
  const folder = path.dirname(transcript)
  const own = path.basename(transcript)
  for (const name of namesIn(folder).slice(0, MOST_TRANSCRIPTS)) {
    if (name === own || !name.endsWith('.jsonl') || name.startsWith('agent-')) continue
    const beginning = beginningOf(path.join(folder, name))
    if (beginning.includes(`"uuid":"${uuid}"`) && !beginning.includes('"sessionKind":"bg"'))
      return name.slice(0, -'.jsonl'.length)
  }
  return undefined
}

function beginningOf(file: string): string {
  try {
    const fd = fs.openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(BEGINNING)
      return bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, BEGINNING, 0))
    } finally {
      fs.closeSync(fd)
    }
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort()
  } catch {
    return []
  }
}
