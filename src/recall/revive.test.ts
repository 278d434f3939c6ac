import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { fixtureHomes } from '../sources/test-homes.ts'
import { planRevival, revive } from './revive.ts'
import { type Bench, bench, sampleHome } from './test-kit.ts'

/** What is written back is read again as it was said, as the same chat, and by that only. */

const open: Bench[] = []
after(async () => {
  for (const each of open) await each.close()
})

function newBench(put?: (home: string) => void): Bench {
  const made = bench()
  open.push(made)
  put?.(made.home)
  return made
}

const said = (messages: { kind: string; text: string; undone?: boolean }[]) =>
  messages
    .filter(({ kind, undone }) => !undone && (kind === 'request' || kind === 'answer'))
    .map(({ kind, text }) => ({ kind, text }))

const HOMES = [
  { name: 'the sample', put: (home: string) => fs.cpSync(sampleHome, home, { recursive: true }) },
  ...fixtureHomes.filter(({ id }) => ['claude-code', 'codex', 'copilot-cli'].includes(id)),
]

const answersOf = (list: { kind: string; text: string }[]) =>
  list.flatMap(({ kind, text }) => (kind === 'answer' ? text.trim() : [])).join('\n')

for (const { name, put } of HOMES) {
  test(`${name}: revived chats are read as they were`, async () => {
    const at = newBench(put)
    await at.sync()
    const chats = (await at.archive.listChats({}, { limit: 1_000 })).filter(({ source }) =>
      ['claude-code', 'codex', 'copilot-cli'].includes(source),
    )
    const count = (await at.archive.listChats({ subagents: true }, { limit: 1_000 })).length
    const before = new Map<number, unknown[]>()
    for (const chat of chats) before.set(chat.key, await at.archive.messages(chat))
    for (const entry of fs.readdirSync(at.home)) fs.rmSync(path.join(at.home, entry), { recursive: true })
    let revived = 0
    for (const chat of chats) {
      const plan = await planRevival(at, `${chat.source}:${chat.id}`).catch((error: Error) => {
        assert.match(error.message, /Nothing was said/)
      })
      if (!plan) continue
      await revive(at.archive, plan)
      await assert.rejects(planRevival(at, `${chat.source}:${chat.id}`), { code: 'STILL_THERE' })
      revived++
    }
    assert.ok(revived > 0)
    await at.sync()
    await at.sync()
    assert.equal((await at.archive.listChats({ subagents: true }, { limit: 1_000 })).length, count)
    const fresh = newBench()
    fs.cpSync(at.home, fresh.home, { recursive: true })
    await fresh.sync()
    for (const chat of chats) {
      const name = `${chat.source}:${chat.id}`
      const now = await at.archive.messages(await at.archive.resolveChat(name))
      const strip = (list: unknown[]) => (list as { order: number }[]).map(({ order: _, ...rest }) => rest)
      assert.deepEqual(strip(now), strip(before.get(chat.key)!), `${name} in the archive`)
      const read = await fresh.archive.resolveChat(name).catch(() => undefined)
      if (!read) continue
      const told = said(await fresh.archive.messages(read)).filter(({ text }) => text)
      const was = said(now).filter(({ text }) => text)
      // One that begins like what the tool itself adds cannot be told from that.
      const requests = (list: typeof was) =>
        list.filter(({ kind, text }) => kind === 'request' && !text.startsWith('<'))
      assert.deepEqual(requests(told), requests(was), `${name} read again`)
      assert.equal(answersOf(told), answersOf(was), `${name} read again`)
    }
  })
}

test('what an assistant adds to a revived file is read, in its place', async () => {
  const at = newBench((home) => fs.cpSync(sampleHome, home, { recursive: true }))
  await at.sync()
  const chat = (await at.archive.listChats({ source: 'claude-code' }))[0]!
  const before = await at.archive.messages(chat)
  for (const entry of fs.readdirSync(at.home)) fs.rmSync(path.join(at.home, entry), { recursive: true })
  const plan = await planRevival(at, chat.id)
  await revive(at.archive, plan)
  const file = plan.contents.at(-1)!.path
  const last = JSON.parse(
    plan.contents
      .at(-1)!
      .text.trim()
      .split('\n')
      .findLast((line) => line.includes('"uuid"'))!,
  )
  const uuidOf = (n: number) => (n === 0 ? last.uuid : `00000000-0000-4000-8000-00000000000${n}`)
  const line = (n: number) => {
    const uuid = uuidOf(n)
    const message = { role: 'user', content: `one more thing, ${n}` }
    const timestamp = '2026-11-01T10:00:00.000Z'
    return `${JSON.stringify({ ...last, parentUuid: uuidOf(n - 1), uuid, type: 'user', message, timestamp })}\n`
  }
  await at.sync()
  fs.appendFileSync(file, line(1))
  await at.sync()
  const now = await at.archive.messages(await at.archive.resolveChat(chat.id))
  assert.deepEqual(
    now.map(({ text }) => text),
    [...before.map(({ text }) => text), 'one more thing, 1'],
  )
  // Read from its start again, nothing of it doubles or is taken back.
  fs.writeFileSync(
    file,
    `${fs.readFileSync(file, 'utf8')}${line(2).replace('"isSidechain":false', '"isSidechain": false')}`,
  )
  fs.utimesSync(file, new Date(), new Date(Date.now() + 9_000))
  await at.sync()
  const again = await at.archive.messages(await at.archive.resolveChat(chat.id))
  assert.equal(again.filter(({ undone }) => undone).length, before.filter(({ undone }) => undone).length)
  assert.equal(again.length, before.length + 2)
})

test('what cannot be revived says why', async () => {
  const at = newBench((home) => fs.cpSync(sampleHome, home, { recursive: true }))
  await at.sync()
  const all = await at.archive.listChats({ subagents: true }, { limit: 1_000 })
  const other = all.find(({ source }) => !['claude-code', 'codex', 'copilot-cli'].includes(source))!
  await assert.rejects(planRevival(at, `${other.source}:${other.id}`), { code: 'NOT_REVIVABLE' })
  const there = all.find(({ source, subagent }) => source === 'claude-code' && !subagent)!
  await assert.rejects(planRevival(at, there.id), { code: 'STILL_THERE' })
})
