import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fixturesOf } from '../fixture-kit.ts'

const { made } = fixturesOf(import.meta.dirname)

/** A field of text, of a number or of further fields, as protobuf writes it. */
type Field = [number: number, value: string | number | Field[]]

function encoded(fields: Field[]): Buffer {
  return Buffer.concat(
    fields.map(([field, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(field * 8), varint(value)])
      const bytes = typeof value === 'string' ? Buffer.from(value) : encoded(value)
      return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
    }),
  )
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.from([...bytes, rest])
}

const message = (id: string, second: number, ...content: Field[]): Field => [
  5,
  [
    [1, id],
    ...content,
    [11, 'task-1'],
    [13, 'request-1'],
    [
      14,
      [
        [1, 1_790_000_000 + second],
        [2, 500_000_000],
      ],
    ],
  ],
]

const MAIN = encoded([
  [1, 'task-1'],
  [2, 'Disk usage'],
  message('w1', 0, [2, [[1, 'What fills my disk?']]]),
  message('w2', 1, [15, [[1, 'I should measure it.']]]),
  message('w3', 2, [
    4,
    [
      [1, 'call-1'],
      [2, [[1, 'du -sh *']]],
    ],
  ]),
  message('w4', 3, [
    5,
    [
      [1, 'call-1'],
      [
        2,
        [
          [1, '9G videos'],
          [2, 0],
        ],
      ],
    ],
  ]),
  message('w5', 4, [3, [[1, 'The videos do, with 9 gigabytes.']]]),
  message('w6', 5, [25, [[1, 'some-model']]]),
])
const HELPER = encoded([
  [1, 'task-2'],
  [3, [[1, 'task-1']]],
  message('w7', 6, [2, [[1, 'List the largest videos']]]),
  message('w8', 7, [3, [[1, 'holiday.mov']]]),
])

export const homes = [
  made('warp.sqlite', (home) => {
    const folder = path.join(home, '.local/state/warp-terminal')
    fs.mkdirSync(folder, { recursive: true })
    const db = new DatabaseSync(path.join(folder, 'warp.sqlite'))
    db.exec(`CREATE TABLE agent_conversations (id INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL,
        conversation_data TEXT NOT NULL, summary TEXT, last_modified_at TIMESTAMP NOT NULL);
      CREATE TABLE agent_tasks (id INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL, task_id TEXT NOT NULL, task BLOB NOT NULL);
      CREATE TABLE ai_queries (id INTEGER PRIMARY KEY, exchange_id TEXT NOT NULL, conversation_id TEXT NOT NULL,
        start_ts TIMESTAMP NOT NULL, input TEXT NOT NULL, working_directory TEXT, output_status TEXT, model_id TEXT);
      INSERT INTO agent_conversations VALUES (1, 'c-1', '{}',
        '{"initial_query":"What fills my disk?","title":"Disk usage","initial_working_directory":"/home/me"}', '2026-09-21 13:33:30');
      INSERT INTO agent_conversations VALUES (2, 'c-2', '{}', NULL, '2026-09-21 14:00:00');
      INSERT INTO ai_queries VALUES (1, 'x-1', 'c-1', '2026-09-21 13:33:20.500', '[{"Query":{"text":"What fills my disk?","context":[]}}]', '/home/me', 'Completed', 'claude-4-sonnet');
      INSERT INTO ai_queries VALUES (2, 'x-2', 'c-2', '2026-09-21 13:59:00', '[{"Query":{"text":"Undo my last commit","context":[]}}]', '/home/me/shop', 'Cancelled', 'auto')`)
    const insert = db.prepare('INSERT INTO agent_tasks (conversation_id, task_id, task) VALUES (?, ?, ?)')
    insert.run('c-1', 'task-1', MAIN)
    insert.run('c-1', 'task-2', HELPER)
    db.close()
  }),
]
