import path from 'node:path'
import { type Json, object, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Checkpoint, Found, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { readLegacyStore } from './legacy.ts'
import { readLog } from './log.ts'
import { userFolders } from './roots.ts'
import { SOURCE_ID, type Surroundings, sessionFound } from './session.ts'
import { firstWindow, folderNameOf, indexEntry, workspaceOf } from './side-files.ts'
import { readTranscript, sessionFilesOf, transcriptOf } from './transcript.ts'

export { exportedChat, isExportedChat } from './session.ts'

export const vscode: Source = {
  id: SOURCE_ID,
  name: 'Copilot in VS Code',
  evidence: 'seen',
  badge: { letters: 'VS', colour: 'blue' },
  client: /^(visual studio code|vs ?code|code-server|vscodium)/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  calls,
  roots: userFolders,
  enters: (folder) => FOLDERS.some((pattern) => pattern.test(folder)),
  unit(file, root) {
    const kind = kindOf(file)
    return kind && describe(kind, path.join(root.path, ...file.split('/')))
  },
  standIns: ({ path: file, rank = 0 }) => (rank >= 2 ? transcriptsOf(file) : []),
  *read(unit, from) {
    const kind = kindOf(unit.path.replaceAll(path.sep, '/'))
    if (kind === 'log') yield* readLog(unit.path, from, (session) => surroundings(unit.path, session))
    else if (kind === 'flat') yield* readFlat(unit.path)
    else if (kind === 'transcript')
      yield* readTranscript(unit.path, from, (id) => surroundings(unit.path, { id }))
    else if (kind === 'store')
      yield* readLegacyStore(unit.path, from, () => workspaceOf(path.dirname(unit.path)))
  },
}

const FOLDERS = [
  /^workspaceStorage$/,
  /^workspaceStorage\/[^/]+$/,
  /^workspaceStorage\/[^/]+\/chatSessions$/,
  /^workspaceStorage\/[^/]+\/GitHub\.copilot-chat$/i,
  /^workspaceStorage\/[^/]+\/GitHub\.copilot-chat\/transcripts$/i,
  /^globalStorage$/,
  /^globalStorage\/(emptyWindow|transferred)ChatSessions$/,
]

type Kind = 'log' | 'flat' | 'transcript' | 'store'

const KINDS: [Kind, RegExp][] = [
  ['log', /(^|\/)(workspaceStorage\/[^/]+\/chatSessions|globalStorage\/\w+ChatSessions)\/[^/]+\.jsonl$/],
  ['flat', /(^|\/)(workspaceStorage\/[^/]+\/chatSessions|globalStorage\/\w+ChatSessions)\/[^/]+\.json$/],
  ['transcript', /(^|\/)workspaceStorage\/[^/]+\/GitHub\.copilot-chat\/transcripts\/[^/]+\.jsonl$/i],
  ['store', /(^|\/)(workspaceStorage\/[^/]+|globalStorage)\/state\.vscdb$/],
]

function kindOf(file: string): Kind | undefined {
  return KINDS.find(([, pattern]) => pattern.test(file))?.[0]
}

/** VS Code itself believes the log before the flat file; a transcript only fills in for both. */
function describe(kind: Kind, file: string): Unit {
  switch (kind) {
    case 'log':
      return { path: file, growth: 'append', rank: 3 }
    case 'flat':
      return { path: file, growth: 'whole', rank: 2 }
    case 'store':
      return { path: file, growth: 'database', rank: 1 }
    case 'transcript':
      return { path: file, growth: 'append', rank: 0, standsIn: true, beside: sessionFilesOf(file) }
  }
}

function transcriptsOf(session: string): Unit[] {
  const file = transcriptOf(session)
  return file ? [describe('transcript', file)] : []
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
