import type { Archive } from '../archive.ts'
import { connect } from './connection.ts'
import { find } from './find.ts'
import { forget } from './forget.ts'
import { assertLease, leaseHolder, releaseLease, renewLease, takeLease } from './lease.ts'
import { usage } from './metrics.ts'
import { chatsBegunWith, isForgotten, messagesBegunWith, pageChats, unitsOf } from './pages.ts'
import {
  check,
  formats,
  knownUnit,
  listChats,
  messages,
  overview,
  problems,
  relatives,
  resolveChat,
  unitStamps,
} from './read.ts'
import { write } from './write.ts'

export { archiveExists } from './connection.ts'

/** The archive in a folder, as one SQLite file. */
export function openSqliteArchive(folder: string): Archive {
  const connection = connect(folder)
  const { prepare } = connection
  return {
    overview: async () => overview(connection),
    listChats: async (filter, page) => listChats(connection, filter, page),
    resolveChat: async (reference) => resolveChat(connection, reference),
    messages: async (chat, range) => messages(connection, chat, range),
    find: async (search) => find(connection, search),
    pageChats: async (filter, page) => pageChats(connection, filter, page),
    chatsBegunWith: async (prefix, limit) => chatsBegunWith(connection, prefix, limit),
    messagesBegunWith: async (prefix, limit) => messagesBegunWith(connection, prefix, limit),
    unitsOf: async (chat) => unitsOf(connection, chat),
    isForgotten: async (source, id) => isForgotten(connection, source, id),
    usage: async (filter, groupBy) => usage(connection, filter, groupBy),
    relatives: async (chat) => relatives(connection, chat),
    formats: async () => formats(connection),
    check: async () => check(connection),
    problems: async () => problems(connection),
    unitStamps: async (source) => unitStamps(connection, source),
    knownUnit: async (source, path) => knownUnit(connection, source, path),
    write: async (readings, lease) => write(connection, readings, lease),
    takeLease: async (purpose, right) => takeLease(connection, purpose, right),
    renewLease: async (lease) => renewLease(connection, lease),
    releaseLease: async (lease) => releaseLease(connection, lease),
    leaseHolder: async () => leaseHolder(connection),
    forget: async (chats) => forget(connection, chats),
    close: async () => connection.close(),
    async markSynced(lease) {
      connection.transaction(() => {
        assertLease(connection, lease)
        prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('lastSyncAt', ?)`).run(Date.now())
      })
    },
  }
}
