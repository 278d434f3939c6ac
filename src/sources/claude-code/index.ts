import fs from 'node:fs'
import path from 'node:path'
import { object } from '../json.ts'
import { type JsonLine, jsonLines } from '../lines.ts'
import type { Checkpoint, Found, Root, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { loadProgress, savedProgress } from './progress.ts'
import { roots } from './roots.ts'
import { unwanted } from './skip.ts'
import { Transcript } from './transcript.ts'

/** Claude Code: one JSONL file per session, one more per sub-agent. See docs/sources/claude-code.md. */
export const claudeCode: Source = {
  id: 'claude-code',
  name: 'Claude Code',
  evidence: 'seen',
  badge: { letters: 'Cl', colour: 'orange' },
  client: /^claude-code/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots,
  enters,
  unit,
  read,
  calls,
}

const DEEPEST = 8
const NOT_HISTORY = new Set(['memory', 'tool-results'])
const CHECKPOINT_LINES = 1000
const CHECKPOINT_BYTES = 1024 * 1024

function enters(folder: string): boolean {
  const parts = folder.split('/')
  if (parts.length > DEEPEST || NOT_HISTORY.has(parts.at(-1)!)) return false
  return parts.length < 3 || parts[2] === 'subagents'
}

function unit(file: string, root: Root): Unit | undefined {
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

function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
  const progress = from && loadProgress(from.state)
  if (from && !progress) yield { restart: true }
  let offset = progress ? from!.offset : 0
  const transcript = new Transcript(unit.path, progress)
  let savedAt = offset
  let lines = 0
  for (const line of jsonLines(unit.path, { from: offset, skip: unwanted })) {
    const record = object(line.value)
    if (record) transcript.take(record, line.offset)
    else {
      if (!isTerminated(unit.path, line)) break
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
