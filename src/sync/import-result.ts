/** What became of an import. */
export interface ImportResult {
  sources: SourceResult[]
  /** Files that were read, and those beside them that were of no known kind. */
  files: number
  passedOver: number
  /** What each file was taken for; of very many only the first. */
  taken: TakenFile[]
  /** Some of those that were of no known kind. */
  unrecognised: string[]
  problems: { path: string; offset?: number; reason: string }[]
  interrupted: boolean
  dryRun: boolean
}

interface TakenFile {
  path: string
  source: string
  name: string
  chats: number
  messages: number
}

export interface SourceResult {
  source: string
  name: string
  chats: number
  messages: number
  /** What the import brought; not known of a dry run. */
  chatsAdded?: number
  messagesAdded?: number
  messagesChanged?: number
  messagesUnchanged?: number
  problems: number
}
