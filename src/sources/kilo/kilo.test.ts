import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { diceFrom, mutatedJson } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, readMachine } from '../test-kit.ts'
import { homes } from './fixture-homes.ts'
import { kilo as described } from './index.ts'

const kilo = await withReader(described)

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kilo-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
homes[0]!.put(temp)
const file = path.join(temp, '.local/share/kilo/kilo.db')
const SESSION = 'ses_e21291e13ffee0Xk3MI0H0dRHM'

test('a session of version 7', () => {
  const { chats, messages, problems } = readMachine(kilo, machineAt(temp))
  assert.deepEqual(problems, [])
  assert.deepEqual(chats, [
    {
      source: 'kilo',
      id: SESSION,
      workspace: '/home/me/shop',
      createdAt: 1794739986924,
      updatedAt: 1794740075550,
      format: '7.7.9',
      resume: `kilo -s ${SESSION}`,
    },
  ])
  assert.deepEqual(
    messages[SESSION]?.map(({ kind, text }) => [kind, text]),
    [
      // `kilo run` stores the quotes that it was given.
      ['request', '"Please read README.md and tell me the name of the shop."'],
      ['answer', ''],
      ['answer', 'The shop is called Corner Shop.'],
      ['request', '"Thanks. Which port does it use?"'],
      ['answer', 'It listens on port 8080.'],
    ],
  )
  const [, call] = messages[SESSION]!
  assert.equal(call!.toolCalls?.[0]?.tool, 'read')
  assert.match(call!.toolResults?.[0]?.text ?? '', /Corner Shop/)
  assert.deepEqual([call!.model, call!.usage?.input, call!.usage?.cached], ['gpt-4.1', 1200, 1000])
})

test('where it is looked for', () => {
  const roots = (env: Record<string, string>) => kilo.roots(machineAt('/home/me', env))
  assert.deepEqual(roots({}), [{ path: '/home/me/.local/share/kilo' }])
  assert.deepEqual(roots({ XDG_DATA_HOME: '/d' }), [{ path: '/d/kilo' }])
  assert.deepEqual(roots({ KILO_DB: '/x/other.db' })[1], { path: '/x', label: 'other.db' })
  assert.equal(kilo.unit('kilo.db-wal', { path: '/d' })?.path, '/d/kilo.db')
  for (const name of ['opencode.db', 'storage/message/s/m.json', 'kilo.db-shm'])
    assert.equal(kilo.unit(name, { path: '/d' }), undefined)
})

test('no damage makes it throw', () => {
  const copy = path.join(temp, 'kilo.db')
  const below = diceFrom(7)
  for (let round = 0; round < 200; round++) {
    fs.copyFileSync(file, copy)
    const db = new DatabaseSync(copy)
    for (const table of ['message', 'part'])
      for (const { id, data } of db.prepare(`SELECT id, data FROM ${table}`).all())
        if (below(3) === 0)
          db.prepare(`UPDATE ${table} SET data = ? WHERE id = ?`).run(
            mutatedJson(String(data), below),
            String(id),
          )
    db.close()
    gather(kilo.read({ path: copy, growth: 'database' }, undefined, machineAt(temp)))
  }
})
