import path from 'node:path'
import { type Json, object, words } from '../json.ts'
import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    // Kilo keeps the same tables, and is another assistant.
    fits: ({ columns, name }) =>
      !/^kilo/i.test(name) &&
      columns('part').includes('message_id') &&
      columns('session').includes('time_updated'),
    place: () => ({ file: 'opencode.db' }),
  },
  {
    fits: ({ document, file }) => isStored(object(document), file),
    place: ({ file }) => {
      const storage = path.resolve(file, '../../..')
      return {
        file: `storage/${path.relative(storage, file).replaceAll(path.sep, '/')}`,
        folder: storage,
        at: 'storage',
      }
    },
  },
]

/** A session or a message of opencode before its database. */
function isStored(document: Json | undefined, file: string): boolean {
  const kind = path.basename(path.resolve(file, '../..'))
  if (kind === 'session') return /^ses_/.test(String(document?.id)) && object(document?.time) !== undefined
  return (
    kind === 'message' && /^ses_/.test(String(document?.sessionID)) && words(document?.role) !== undefined
  )
}
