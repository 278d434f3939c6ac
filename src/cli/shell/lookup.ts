import { archiveExists, openSqliteArchive } from '../../archive/sqlite/index.ts'
import { archiveFolder } from '../archive.ts'
import { readerOf } from '../call.ts'
import { dateTime, tilde } from '../format.ts'
import { fit, oneLine } from '../paint.ts'
import type { Candidate, Lookup } from './complete.ts'

/** More is not read by anybody, and the shell would ask whether to show it. */
const MOST = 60
const TITLE = 60

/**
 * What the archive knows, while somebody waits with a finger on Tab: it is opened for reading only, nothing is synced,
 * and where it cannot be read there is nothing to offer.
 */
export function lookupIn(options: { sample?: boolean }): { lookup: Lookup; close(): Promise<void> } {
  const folder = archiveFolder(options)
  const archive = archiveExists(folder) ? openSqliteArchive(folder, { isReading: true }) : undefined
  const lookup: Lookup = async (kind, begun) => {
    if (kind === 'client') {
      const { clients } = await import('../setup/clients.ts')
      return clients.map(({ id, name }) => ({ value: id, about: name }))
    }
    if (kind === 'backup') return await backups(folder)
    if (!archive) return []
    const reader = readerOf(archive, options)
    switch (kind) {
      case 'chat': {
        const chats =
          begun === ''
            ? await reader.chats({ subagents: false }, { limit: MOST })
            : await reader.begunWith(begun, MOST)
        return chats.map(({ id, title, source, updatedAt }) => ({
          value: id,
          about: `${fit(oneLine(title), TITLE)}, ${source}, ${dateTime(updatedAt).slice(0, 10)}`,
        }))
      }
      case 'source':
        return (await reader.overview()).sources
          .filter(({ chats }) => chats > 0)
          .map(({ source, chats }) => ({ value: source, about: counted(chats) }))
      case 'workspace': {
        const known = await reader.workspaces()
        const paths = known.map(({ path, chats }) => ({ value: path, about: counted(chats) }))
        // By its name a project is found as well, and that is quicker to type.
        const names = Map.groupBy(known, ({ path }) => path.split(/[\\/]/).findLast(Boolean) ?? path)
        const alone = [...names].flatMap(([value, [first, second]]) =>
          first && !second ? [{ value, about: tilde(oneLine(first.path)) }] : [],
        )
        return begun.includes('/') || begun.includes('\\') ? paths : alone.slice(0, MOST)
      }
      case 'repository':
      case 'author':
      case 'machine': {
        const own = kind === 'author' ? ['me'] : kind === 'machine' ? ['this'] : []
        const known = (await reader.origins())[kind].map(({ name, chats }) => ({
          value: name,
          about: counted(chats),
        }))
        return [...own.map((value) => ({ value })), ...known]
      }
      default:
        return []
    }
  }
  return { lookup, close: async () => await archive?.close() }
}

async function backups(folder: string): Promise<Candidate[]> {
  const { listBackups } = await import('../../archive/backups.ts')
  return listBackups(folder).map(({ name }) => ({ value: name }))
}

function counted(chats: number): string {
  return `${chats} ${chats === 1 ? 'chat' : 'chats'}`
}
