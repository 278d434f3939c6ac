import path from 'node:path'
import { type Json, object, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readLegacyStore } from './legacy.ts'
import { readLog } from './log.ts'
import { firstWindow, kindOf } from './places.ts'
import { type Surroundings, sessionFound } from './session.ts'
import { folderNameOf, indexEntry, workspaceOf } from './side-files.ts'
import { readTranscript } from './transcript.ts'

export function* read(unit: Unit, from: Checkpoint | undefined): Generator<Found> {
  const kind = kindOf(unit.path.replaceAll(path.sep, '/'))
  if (kind === 'log') yield* readLog(unit.path, from, (session) => surroundings(unit.path, session))
  else if (kind === 'flat') yield* readFlat(unit.path)
  else if (kind === 'transcript')
    yield* readTranscript(unit.path, from, (id) => surroundings(unit.path, { id }))
  else if (kind === 'store')
    yield* readLegacyStore(unit.path, from, () => workspaceOf(path.dirname(unit.path)))
}

function* readFlat(file: string): Generator<Found> {
  let session: Json | undefined
  try {
    session = object(readJson(file))
  } catch (error) {
    yield { problem: { reason: error instanceof Error ? error.message : String(error) } }
    return
  }
  if (session) yield* sessionFound(session, surroundings(file, session))
  const whole: Checkpoint = { offset: 0 }
  yield { checkpoint: whole }
}

/** What the workspace's files say about one of its chats. The list of titles is opened only for a chat without. */
function surroundings(file: string, session: Json): Surroundings {
  const id = path.basename(file).replace(/\.jsonl?$/, '')
  const hasTitle = words(session.customTitle) ?? words(session.computedTitle)
  const inGlobal = /[\\/]globalStorage[\\/][^\\/]+[\\/][^\\/]+$/.exec(file)
  const storage = inGlobal ? path.dirname(path.dirname(file)) : storageOf(file)
  const isWindowless = path.basename(storage) === 'no-workspace'
  const database = isWindowless
    ? path.resolve(storage, '../../globalStorage/state.vscdb')
    : path.join(firstWindow(storage), 'state.vscdb')
  return {
    id,
    form: file.endsWith('.jsonl') ? 'log' : 'flat',
    workspace: inGlobal ? undefined : workspaceOf(storage),
    folderName: inGlobal ? undefined : folderNameOf(storage),
    ...(hasTitle ? {} : indexEntry(database, words(session.sessionId) ?? id)),
  }
}

/** The folder of one workspace that a file lies in, however deep. */
function storageOf(file: string): string {
  let folder = path.dirname(file)
  while (path.basename(path.dirname(folder)) !== 'workspaceStorage' && path.dirname(folder) !== folder) {
    folder = path.dirname(folder)
  }
  return folder
}
