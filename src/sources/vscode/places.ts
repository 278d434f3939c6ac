import path from 'node:path'

export type Kind = 'log' | 'flat' | 'transcript' | 'store'

const KINDS: [Kind, RegExp][] = [
  ['log', /(^|\/)(workspaceStorage\/[^/]+\/chatSessions|globalStorage\/\w+ChatSessions)\/[^/]+\.jsonl$/],
  ['flat', /(^|\/)(workspaceStorage\/[^/]+\/chatSessions|globalStorage\/\w+ChatSessions)\/[^/]+\.json$/],
  ['transcript', /(^|\/)workspaceStorage\/[^/]+\/GitHub\.copilot-chat\/transcripts\/[^/]+\.jsonl$/i],
  ['store', /(^|\/)(workspaceStorage\/[^/]+|globalStorage)\/state\.vscdb$/],
]

/** What a file of a user folder is, by where it lies. */
export function kindOf(file: string): Kind | undefined {
  return KINDS.find(([, pattern]) => pattern.test(file))?.[0]
}

/** The session files that make a transcript superfluous, whether they are there or not. */
export function sessionFilesOf(transcript: string): string[] {
  const id = path.basename(transcript, '.jsonl')
  const storage = path.resolve(transcript, '../../..')
  const user = path.resolve(storage, '../..')
  const folders = [
    path.join(storage, 'chatSessions'),
    path.join(firstWindow(storage), 'chatSessions'),
    path.join(user, 'globalStorage', 'emptyWindowChatSessions'),
  ]
  return [...new Set(folders)].flatMap((folder) =>
    [`${id}.jsonl`, `${id}.json`].map((name) => path.join(folder, name)),
  )
}

/** Where Copilot keeps its own transcript of a workspace's session. */
export function transcriptOf(session: string): string | undefined {
  const storage = path.resolve(session, '../..')
  if (path.basename(path.dirname(storage)) !== 'workspaceStorage') return undefined
  const id = path.basename(session).replace(/\.jsonl?$/, '')
  return path.join(storage, 'GitHub.copilot-chat', 'transcripts', `${id}.jsonl`)
}

export function firstWindow(folder: string): string {
  return folder.replace(/(?<=[\da-f])-[1-9]$/, '')
}
