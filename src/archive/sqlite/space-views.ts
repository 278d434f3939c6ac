import { RecollectError } from '../../model/errors.ts'
import type { Archive, Overview } from '../archive.ts'
import type { Connection } from './connection.ts'

/**
 * Makes a connection see the chats of some spaces and nothing else. Views of this connection alone stand before the
 * tables, so that every question that is asked of it, also one that is yet to be written, is answered within them; and
 * it cannot write. The word index knows no spaces: who reads it leaves out what these views do not have.
 */
export function restrictToSpaces({ db }: Connection, spaces: readonly string[]): void {
  const own = spaces.map((space) => `'${space.replaceAll("'", "''")}'`).join(', ')
  const isOwn = (chat: string) =>
    `EXISTS (SELECT 1 FROM main.chat AS c WHERE c.key = ${chat} AND c.space IN (${own}))`
  const views: Record<string, string> = {
    chat: `space IN (${own})`,
    chat_message: isOwn('t.chat'),
    block: isOwn('t.chat'),
    block_detail: `EXISTS (SELECT 1 FROM main.block AS b WHERE b.key = t.key AND ${isOwn('b.chat')})`,
    tool_call: `EXISTS (SELECT 1 FROM main.chat_message AS m WHERE m.key = t.message AND ${isOwn('m.chat')})`,
    tool_failure: `EXISTS (SELECT 1 FROM main.chat_message AS m WHERE m.key = t.message AND ${isOwn('m.chat')})`,
    tool: `EXISTS (SELECT 1 FROM main.tool_call AS k JOIN main.chat_message AS m ON m.key = k.message
      WHERE k.tool = t.key AND ${isOwn('m.chat')})`,
    chat_secret: isOwn('t.chat'),
    secret_todo: isOwn('t.chat'),
    redacted_chat: isOwn('t.chat'),
    hub_space: `space IN (${own})`,
    // Of files of this machine, what was forgotten on it, and what mixes chats, nothing.
    ...Object.fromEntries(HIDDEN.map((table) => [table, '0'])),
  }
  for (const [table, where] of Object.entries(views))
    db.exec(`CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} AS t WHERE ${where}`)
  db.exec('PRAGMA query_only = ON')
}

const HIDDEN = [
  'unit',
  'unit_chat',
  'problem',
  'forgotten',
  'forgotten_mark',
  'forgotten_unit',
  'revived_unit',
  'remote_chat',
  'change_log',
  'change_gone',
  'folder_remote',
  'usage_sum',
  'vector',
  'seal',
  'lease',
]

/** What somebody who may see some spaces may ask of the archive; the rest is refused, whoever calls it. */
export function asGuest(archive: Archive): Archive {
  const refused = async (): Promise<never> => {
    throw new RecollectError('FORBIDDEN', 'Here chats are only read.', 'Ask whoever runs this server.')
  }
  const allowed = Object.fromEntries(
    Object.entries(archive).map(([name, method]) => [name, READING.has(name) ? method : refused]),
  ) as unknown as Archive
  return {
    ...allowed,
    // How large the whole archive is and where it lies is nobody else's.
    overview: async (): Promise<Overview> => {
      const { damage: _, ...overview } = await archive.overview()
      return { ...overview, bytes: 0, path: '', forgotten: 0, readOnly: true }
    },
    unknownRecords: async () => [],
    problems: async () => [],
    savedSearches: async () => [],
    isForgotten: async () => false,
    embeddings: async () => undefined,
  }
}

const READING: ReadonlySet<string> = new Set<keyof Archive>([
  'folder',
  'listChats',
  'resolveChat',
  'messages',
  'known',
  'copiesIn',
  'outline',
  'searching',
  'pageChats',
  'chatsBegunWith',
  'chatNamesBegunWith',
  'messagesBegunWith',
  'unitsOf',
  'secretsSeen',
  'withoutForgotten',
  'usage',
  'failedCalls',
  'relatives',
  'changes',
  'workspaces',
  'newestWorkspaces',
  'origins',
  'authorsOf',
  'chatCount',
  'countChats',
  'counts',
  'groupChats',
  'formats',
  'close',
])
