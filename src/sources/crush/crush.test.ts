import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, lookInto, machineAt, readMachine, unitsOf } from '../test-kit.ts'
import { assertSurvives, assertSurvivesRows } from '../test-reader.ts'
import { project } from './fixture-homes.ts'
import { crush as described } from './index.ts'

const crush = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-crush-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
project.put(home)
fs.mkdirSync(path.join(home, '.local/share/crush'), { recursive: true })
fs.writeFileSync(
  path.join(home, '.local/share/crush/projects.json'),
  JSON.stringify({ projects: [{ path: path.join(home, 'shop'), data_dir: path.join(home, 'shop/.crush') }] }),
)
const machine = machineAt(home)

test('who said what', () => {
  const reading = readMachine(crush, machine)
  const { chat, messages } = lookInto(reading)
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(
    reading.chats.map(({ id }) => id),
    ['s-1', 's-1-child'],
  )
  assert.deepEqual(chat('s-1'), {
    source: 'crush',
    id: 's-1',
    title: 'Price of the tea',
    workspace: path.join(home, 'shop'),
    createdAt: 1790000000_000,
    updatedAt: 1790000030_000,
    format: 'database',
  })
  assert.deepEqual(
    messages('s-1').map(({ kind, text }) => [kind, text]),
    [
      ['request', 'What does the tea cost?'],
      ['answer', 'Let me look.'],
      ['tool', ''],
      ['answer', 'It costs 3 euros.'],
      ['command', '!ls\ntea.png'],
      ['summary', 'The price of the tea was asked for.'],
      ['notice', 'Tokens of Price of the tea.'],
    ],
  )
  const [request, call, result, answer] = messages('s-1')
  assert.deepEqual(request!.attachments, [
    {
      name: 'tea.png',
      type: 'image',
      path: '/home/me/tea.png',
      mimeType: 'image/png',
      data: 'aGVsbG8=',
      bytes: 5,
    },
  ])
  assert.equal(call!.thinking, 'I should look.')
  assert.deepEqual(call!.toolCalls, [{ id: 'c1', tool: 'agent', args: { prompt: 'find the price' } }])
  assert.deepEqual(result!.toolResults, [{ callId: 'c1', text: '3 euros.' }])
  assert.equal(answer!.model, 'claude-sonnet-4.5')
  assert.deepEqual(messages('s-1').at(-1)!.usage, { input: 2400, output: 40, cost: 0.01 })
  assert.deepEqual([chat('s-1-child').subagent, chat('s-1-child').parentId], [true, 's-1'])
  assert.equal(messages('s-1-child')[0]!.kind, 'delegated')
})

test('only what changed is told again', () => {
  const [unit] = unitsOf(crush, machine)
  const { checkpoint } = gather(crush.read(unit!, undefined, machine))
  const db = new DatabaseSync(unit!.path)
  db.exec(`INSERT INTO messages VALUES ('m7', 's-1', 'user', '[{"type":"text","data":{"text":"And the coffee?"}}]',
    NULL, NULL, 0, 1790000100, 1790000100, NULL); UPDATE sessions SET updated_at = 1790000100 WHERE id = 's-1'`)
  db.close()
  const { messages } = gather(crush.read(unit!, checkpoint, machine))
  assert.deepEqual(
    messages['s-1']!.map(({ id }) => id),
    ['m6', 'm7', 'usage'],
  )
  assert.equal(messages['s-1-child'], undefined)
})

test('an answer that goes on is told, though the clock of a session ran ahead', () => {
  const [unit] = unitsOf(crush, machine)
  const change = (sql: string) => {
    const db = new DatabaseSync(unit!.path)
    db.exec(sql)
    db.close()
  }
  const part = (text: string) => JSON.stringify([{ type: 'text', data: { text } }])
  const now = Math.floor(Date.now() / 1000)
  change(`UPDATE sessions SET updated_at = ${now + 1e7} WHERE id = 's-1-child';
    INSERT INTO messages VALUES ('m8', 's-1', 'assistant', '${part('It')}', NULL, NULL, 0, ${now}, ${now}, NULL)`)
  const { checkpoint } = gather(crush.read(unit!, undefined, machine))
  change(`UPDATE messages SET parts = '${part('It costs 4.')}', updated_at = ${now + 1} WHERE id = 'm8'`)
  const { messages } = gather(crush.read(unit!, checkpoint, machine))
  assert.equal(messages['s-1']?.find(({ id }) => id === 'm8')?.text, 'It costs 4.')
})

test('no damage makes it throw', () => {
  assertSurvives(crush, machine, 1500)
  assertSurvivesRows(crush, machine, ['messages', 'parts'])
})

test('where it is looked for', () => {
  const roots = (env: Record<string, string>) => crush.roots(machineAt(home, env)).map((root) => root.path)
  assert.deepEqual(roots({}), [path.join(home, '.local/share/crush'), path.join(home, 'shop/.crush')])
  assert.deepEqual(roots({ CRUSH_GLOBAL_DATA: '/c' }), ['/c'])
  const list = path.join(home, '.local/share/crush/projects.json')
  for (const text of ['', '[]', '{"projects":7}', '[{"path":7},{"path":"relative"},null]']) {
    fs.writeFileSync(list, text)
    assert.equal(roots({}).length, 1, text)
  }
  fs.writeFileSync(list, '[{"path":"/home/me/a","data_dir":".crush"},{"path":"/home/me/b"}]')
  assert.deepEqual(roots({}).slice(1), ['/home/me/a/.crush', '/home/me/b/.crush'])
})
