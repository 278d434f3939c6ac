import path from 'node:path'
import {
  GLANCE_ROWS,
  kindName,
  kinds,
  lineRecords,
  type Seen,
  type Survey,
  withDatabase,
} from '../coverage/survey.ts'
import { columnsOf } from '../foreign-db.ts'
import { object, objects, parsed, string, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(
    'composerData bubble/1 bubble/2 user assistant tool part/text part/tool_use part/tool_result part/thinking part/reasoning part/tool-call part/tool-result tab/user tab/ai tab/assistant',
  ),
  ignored: kinds(`
    turn_ended system part/image part/redacted-reasoning
    messageRequestContext checkpointId codeBlockDiff codeBlockPartialInlineDiffFates agentKv ofsContent
    inlineDiffs-v2 inlineDiff composer.content composerVirtualRowHeights patch-graph inlineDiffUndoRedo
  `),
  *records({ path: file, growth }, glance) {
    if (file.endsWith('.txt')) return
    if (path.basename(file) === 'store.db') yield* withDatabase(file, blobsOf)
    else if (growth === 'append') {
      for (const record of lineRecords(file, glance)) yield* lineSeen(record)
    } else if (path.basename(path.dirname(file)) === 'globalStorage')
      yield* withDatabase(file, (db) => rowsOf(db, glance))
    else yield* withDatabase(file, tabsOf)
  },
}

type Database = Parameters<Parameters<typeof withDatabase>[1]>[0]

function* rowsOf(db: Database, glance: boolean): Generator<Seen> {
  if (!columnsOf(db, 'cursorDiskKV').includes('value')) return
  const rows = db.prepare(
    `SELECT key, CASE WHEN key GLOB 'bubbleId:*' OR key GLOB 'composerData:*' THEN CAST(value AS TEXT) END AS value
     FROM cursorDiskKV ORDER BY rowid DESC LIMIT ?`,
  )
  const tables = [
    'SELECT key AS id, value FROM cursorDiskKV WHERE key = ?',
    ...(columnsOf(db, 'composerHeaders').includes('value')
      ? [`SELECT composerId AS id, value FROM composerHeaders WHERE 'composerData:' || composerId = ?`]
      : []),
  ]
  const subagents = tables.map((table) =>
    db.prepare(`SELECT 1 FROM (${table}) WHERE CAST(value AS TEXT) LIKE '%"subagentInfo":{%'`),
  )
  const isSubagent = new Map<string, boolean>()
  for (const row of rows.iterate(glance ? GLANCE_ROWS : -1)) {
    const [kind = '', chat, bubble] = String(row.key).split(':')
    const value = object(parsed(row.value))
    if (kind === 'bubbleId' && chat && bubble) {
      if (!isSubagent.has(chat))
        isSubagent.set(
          chat,
          subagents.some((each) => each.get(`composerData:${chat}`) !== undefined),
        )
      if (value) yield { ...bubbleSeen(value), ...(isSubagent.get(chat) && { turns: 0 }) }
    } else {
      yield { kind }
      if (kind === 'composerData') for (const each of objects(value?.conversation)) yield bubbleSeen(each)
    }
  }
}

function bubbleSeen(bubble: Record<string, unknown>): Seen {
  return { kind: kindName('bubble', bubble.type), turns: bubble.type === 1 && words(bubble.text) ? 1 : 0 }
}

function* tabsOf(db: Database): Generator<Seen> {
  if (!columnsOf(db, 'ItemTable').includes('value')) return
  const stored = db
    .prepare(
      "SELECT CAST(value AS TEXT) AS value FROM ItemTable WHERE key = 'workbench.panel.aichat.view.aichat.chatdata'",
    )
    .get()
  for (const tab of objects(object(parsed(stored?.value))?.tabs))
    for (const bubble of objects(tab.bubbles))
      yield { kind: kindName('tab', bubble.type), turns: bubble.type === 'user' ? 1 : 0 }
}

/** The messages among the blobs of the command-line agent; the others, in Protobuf, say in which order they come. */
function* blobsOf(db: Database): Generator<Seen> {
  if (!columnsOf(db, 'blobs').includes('data')) return
  const rows = db.prepare(
    `SELECT CAST(data AS TEXT) AS data FROM blobs WHERE substr(data, 1, 1) = CAST('{' AS BLOB)`,
  )
  for (const row of rows.iterate()) {
    const record = object(parsed(row.data))
    if (record) yield* lineSeen(record)
  }
}

function* lineSeen(record: Record<string, unknown>): Generator<Seen> {
  const content = object(record.message)?.content ?? record.content
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
  const text = blocks.map((block) => (block.type === 'text' ? (string(block.text) ?? '') : '')).join('')
  const isTyped = record.role === 'user' && (text.includes('<user_query>') || /^\s*[^<\s]/.test(text))
  yield { kind: kindName(record.role ?? record.type), turns: isTyped ? 1 : 0 }
  for (const { type } of blocks) yield { kind: kindName('part', type) }
}
