import fs from 'node:fs'
import path from 'node:path'
import {
  documentIn,
  GLANCE_ROWS,
  kindName,
  kinds,
  type Seen,
  type Survey,
  withDatabase,
} from '../coverage/survey.ts'
import { type Json, object, parsed, words } from '../json.ts'

export const survey: Survey = {
  used: kinds('session user assistant part/text part/reasoning part/tool part/file part/subtask part/patch'),
  ignored: kinds('part/step-start part/step-finish part/snapshot part/agent part/compaction part/retry'),
  *records({ path: file, growth }, glance) {
    if (growth === 'database') yield* withDatabase(file, (db) => rowsOf(db, glance))
    else if (path.basename(path.dirname(path.dirname(file))) === 'session') yield { kind: 'session' }
    else {
      const info = object(documentIn(file, glance)) ?? {}
      const folder = path.resolve(file, '../../../part', path.basename(file, '.json'))
      const names = fs.existsSync(folder)
        ? fs.readdirSync(folder).filter((name) => name.endsWith('.json'))
        : []
      const session = sessionFile(path.resolve(file, '../../..'), path.basename(path.dirname(file)))
      const isChild = session !== undefined && words((documentIn(session) as Json).parentID) !== undefined
      const parts = names.map((name) => object(documentIn(path.join(folder, name))) ?? {})
      yield* seenIn(info, parts, isChild)
    }
  },
}

function* rowsOf(db: Parameters<Parameters<typeof withDatabase>[1]>[0], glance: boolean): Generator<Seen> {
  const parts = db.prepare('SELECT data FROM part WHERE message_id = ?')
  const messages = db.prepare(
    `SELECT message.id, message.data, session.parent_id AS parent FROM message
     LEFT JOIN session ON session.id = message.session_id ORDER BY message.rowid DESC LIMIT ?`,
  )
  for (const row of messages.iterate(glance ? GLANCE_ROWS : -1)) {
    const own = parts.all(String(row.id)).map(({ data }) => object(parsed(data)) ?? {})
    yield* seenIn(object(parsed(row.data)) ?? {}, own, words(row.parent) !== undefined)
  }
}

function* seenIn(info: Json, parts: Json[], isChild: boolean): Generator<Seen> {
  const said = parts.some((part) => isTyped(part))
  yield { kind: kindName(info.role), turns: info.role === 'user' && said && !isChild ? 1 : 0 }
  for (const { type } of parts) yield { kind: kindName('part', type) }
}

function isTyped(part: Json): boolean {
  if (part.type === 'file') return true
  return (
    part.type === 'text' && part.synthetic !== true && part.ignored !== true && words(part.text) !== undefined
  )
}

function sessionFile(storage: string, id: string): string | undefined {
  const folder = path.join(storage, 'session')
  const projects = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  return projects
    .map((project) => path.join(folder, project, `${id}.json`))
    .find((file) => fs.existsSync(file))
}
