import fs from 'node:fs'
import path from 'node:path'
import { configFolder, dataFolder, type Machine, pathsOf } from '../../platform/machine.ts'
import { object } from '../json.ts'
import { type JsonLine, jsonLines } from '../lines.ts'
import type { Checkpoint, Found, Root, Unit } from '../source.ts'
import { loadProgress, type Manner, savedProgress } from './progress.ts'
import { unwanted } from './skip.ts'
import { Transcript } from './transcript.ts'

export { isEmpty, partsOfBlocks } from './blocks.ts'
export { blocksOf } from './content.ts'
export { type DesktopSession, readDesktopSession } from './desktop.ts'

const DEEPEST = 8
const NOT_HISTORY = new Set(['memory', 'tool-results'])
const CHECKPOINT_LINES = 1000
const CHECKPOINT_BYTES = 1024 * 1024

/** A folder of projects, each with a transcript for every session and one more for every sub-agent. */
export function enters(folder: string): boolean {
  const parts = folder.split('/')
  if (parts.length > DEEPEST || NOT_HISTORY.has(parts.at(-1)!)) return false
  return parts.length < 3 || parts[2] === 'subagents'
}

/** The transcript in a folder of projects that a file belongs to. */
export function unit(file: string, root: Root): Unit | undefined {
  const parts = file.split('/')
  const name = parts.at(-1)!
  if (parts.length > DEEPEST + 1 || name.startsWith('.')) return undefined
  if (parts.length !== 2 && parts[2] !== 'subagents') return undefined
  if (name.startsWith('agent-')) {
    const transcript = file.replace(/\.(meta\.json|jsonl)$/, '')
    if (transcript === file) return undefined
    return {
      path: path.join(root.path, `${transcript}.jsonl`),
      growth: 'append',
      beside: [path.join(root.path, `${transcript}.meta.json`)],
    }
  }
  if (parts.length !== 2 || !name.endsWith('.jsonl')) return undefined
  return { path: path.join(root.path, file), growth: 'append' }
}

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
      if (!isTerminated(file, line)) break
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
export function* toldAs(source: string, found: Iterable<Found>): Generator<Found> {
  for (const item of found) {
    if (!('chat' in item)) yield item
    else {
      const { resume: _, ...chat } = item.chat
      yield { chat: { ...chat, source } }
    }
  }
}

/** Where Claude Desktop keeps its data: on Windows there is a second place for the one from the Store. */
export function desktopFolders(machine: Machine): string[] {
  const { join } = pathsOf(machine)
  const folders = [join(configFolder(machine), 'Claude')]
  if (machine.platform === 'win32')
    folders.push(
      join(dataFolder(machine), 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude'),
    )
  return folders
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
