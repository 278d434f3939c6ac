import fs from 'node:fs'
import { object } from '../json.ts'
import { type JsonLine, jsonLines } from '../lines.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { loadProgress, type Manner, savedProgress } from './progress.ts'
import { unwanted } from './skip.ts'
import { Transcript } from './transcript.ts'

export { isEmpty, partsOfBlocks } from './blocks.ts'
export { blocksOf } from './content.ts'
export { type DesktopSession, readDesktopSession } from './desktop.ts'

const CHECKPOINT_LINES = 1000
const CHECKPOINT_BYTES = 1024 * 1024

export function* readTranscript(
  { path: file }: Unit,
  from: Checkpoint | undefined,
  manner: Manner = {},
): Generator<Found> {
  const progress = from && loadProgress(from.state)
  if (from && !progress) yield { restart: true }
  let offset = progress ? from!.offset : 0
  const transcript = new Transcript(file, progress, manner)
  let savedAt = offset
  let lines = 0
  for (const line of jsonLines(file, { from: offset, skip: unwanted })) {
    const record = object(line.value)
    if (record) transcript.take(record, line.offset)
    else {
      // Only a line that has ended is told as a problem: the place of a part of it is not its end.
      if (!line.problem && !isTerminated(file, line)) break
      yield { problem: line.problem ?? { offset: line.offset, reason: 'not a record' } }
    }
    offset = line.end
    if (++lines >= CHECKPOINT_LINES || offset - savedAt >= CHECKPOINT_BYTES) {
      transcript.settle()
      yield* transcript.found.splice(0)
      yield { checkpoint: { offset, state: savedProgress(transcript.progress) } }
      savedAt = offset
      lines = 0
    } else if (transcript.found.length > 0) yield* transcript.found.splice(0)
  }
  transcript.settle()
  yield* transcript.found
  yield { checkpoint: { offset, state: savedProgress(transcript.progress) } }
}

/** What a reading tells, as chats of a relative, which Claude Code itself does not go on with. */
export function* asChatsOf(source: string, found: Iterable<Found>): Generator<Found> {
  for (const item of found) {
    if (!('chat' in item)) yield item
    else {
      const { resume: _, ...chat } = item.chat
      yield { chat: { ...chat, source } }
    }
  }
}

/** Whether a line that is no record has its newline: one without may be the beginning of a good one. */
function isTerminated(file: string, { end }: JsonLine): boolean {
  const last = Buffer.alloc(1)
  const fd = fs.openSync(file, 'r')
  try {
    return fs.readSync(fd, last, 0, 1, end - 1) === 1 && last[0] === 10
  } finally {
    fs.closeSync(fd)
  }
}
