import { below } from '../below.ts'
import type { Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { type Kind, kindOf, sessionFilesOf, transcriptOf } from './places.ts'
import { userFolders } from './roots.ts'

export const vscode: Source = {
  id: 'vscode',
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
    return kind && describe(kind, below(root, file))
  },
  standIns: ({ path: file, rank = 0 }) => (rank >= 2 ? transcriptsOf(file) : []),
  reader: () => import('./reader.ts'),
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
