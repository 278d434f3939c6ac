import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Message, MessageKind } from '../../model/chat.ts'
import {
  type Lease,
  type UnitReading,
  USAGE_GROUPS,
  type UsageFilter,
  type UsageGroup,
  type UsageSums,
} from '../archive.ts'
import { connect } from './connection.ts'
import { openSqliteArchive } from './index.ts'
import { sumSome } from './kept-usage.ts'
import { recounted, usage } from './metrics.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kept-'))
const archive = openSqliteArchive(folder)
const lease = (await archive.takeLease('test')) as Lease
const connection = connect(folder)
after(async () => {
  connection.close()
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const GROUPS: readonly UsageGroup[] = USAGE_GROUPS
const ZONES = [undefined, 'Asia/Kolkata', 'Pacific/Chatham']
const PERIODS = [undefined, [], ['2026-03-04'], ['2026-03-02', '2026-03-09']]
const START = Date.UTC(2026, 2, 1)
const HOUR = 3_600_000

test('property: kept sums are what a recount gives, after edits, undos, forks, forgets and re-reads', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const below = dice(seed)
    const files = Array.from({ length: 3 + below(40) }, (_, n) => newFile(seed, n, below))
    for (let step = 0; step < 8; step++) {
      const readings = Array.from({ length: 1 + below(8) }, () => read(files[below(files.length)]!, below))
      await archive.write(readings, lease)
      if (below(4) === 0) {
        const chats = await archive.listChats({ subagents: true }, { limit: 200 })
        await archive.forget([chats[below(chats.length)]!])
      }
      // Sometimes all is summed up, sometimes a part waits.
      if (below(3) > 0) while (connection.transaction(() => sumSome(connection, below(2) * 3)));
      assertAsCounted(below, `seed ${seed}, step ${step}`)
    }
  }
  assert.ok(Number(connection.prepare('SELECT count(*) AS n FROM usage_sum').get()!.n) >= 3)
})

test('rows tell the day with which their period began, and days where these are asked for', async () => {
  const reading = read(newFile(98, 1, dice(3)), dice(4))
  const onDays = [0, 30, 60, 90].map((hours) => ({
    chatId: reading.chats[0]!.id,
    message: { ...message(`98-${hours}`, hours, dice(hours)), createdAt: START + hours * HOUR },
  }))
  await archive.write([{ ...reading, messages: onDays }], lease)
  const daysBy = (groupBy: UsageGroup, periods?: string[]) => [
    ...new Set(usage(connection, { timeZone: 'UTC', periods }, groupBy).rows.map(({ day }) => day)),
  ]
  const all = daysBy('source').filter((day) => day !== 'undated')
  const [first, later] = [all.toSorted()[0]!, all.toSorted()[1]!]
  assert.ok(all.length > 2, `${all}`)
  assert.deepEqual(
    daysBy('source', [later])
      .filter((day) => day !== 'undated')
      .sort(),
    ['', later],
  )
  assert.deepEqual(
    daysBy('model', [first]).filter((day) => day !== 'undated'),
    [first],
  )
  assert.deepEqual(daysBy('day', []).sort(), daysBy('source').sort())
})

test('sums that do not fit their checksum, and numbers that no file should tell, are counted', () => {
  while (connection.transaction(() => sumSome(connection, 0)));
  const range = Number(connection.prepare('SELECT min(range) AS range FROM usage_sum').get()!.range)
  connection.prepare(`UPDATE usage_sum SET data = x'0101' WHERE range = ?`).run(range)
  assertAsCounted(dice(1), 'a damaged row')
  connection
    .prepare('UPDATE chat_message SET input_tokens = -5.5 WHERE key = (SELECT max(key) FROM chat_message)')
    .run()
  while (connection.transaction(() => sumSome(connection, 0)));
  assertAsCounted(dice(2), 'a negative fraction')
  connection.prepare('UPDATE chat_message SET input_tokens = 5 WHERE input_tokens < 0').run()
})

test('what is kept of a forgotten chat goes with it', async () => {
  const { source, id, ...made } = newFile(99, 2, dice(5))
  const reading = read({ source, id, ...made }, dice(6))
  await archive.write([{ ...reading, chats: [{ source, id, workspace: '/secret/plan' }] }], lease)
  while (connection.transaction(() => sumSome(connection, 0)));
  const holds = () =>
    connection
      .prepare('SELECT data FROM usage_sum')
      .all()
      .some(({ data }) => Buffer.from(data as Uint8Array).includes('secret/plan'))
  assert.equal(holds(), true)
  await archive.forget([await archive.resolveChat(id)])
  assert.equal(holds(), false)
})

function assertAsCounted(below: Below, about: string): void {
  const from = START + below(40) * HOUR * 7 + below(1e6)
  const filters: UsageFilter[] = [
    {},
    { source: `source-${below(2)}` },
    { workspace: `/w/${below(3)}` },
    { from },
    { from, to: from + below(60) * HOUR },
    { to: from },
  ]
  const drawn = () => ({ timeZone: ZONES[below(3)], periods: PERIODS[below(4)] })
  for (const filter of filters.map((each) => ({ ...each, ...drawn() })))
    for (const group of GROUPS.filter(() => below(2) === 0))
      assert.deepEqual(
        comparable(usage(connection, filter, group)),
        comparable(recounted(connection, filter, group)),
        `${about}, ${JSON.stringify(filter)} by ${group}`,
      )
}

/** Costs are added up in another order, which changes the last digits. */
function comparable({ rows, latencies, thinking, tools }: UsageSums): unknown {
  const sorted = (lists: Map<string, number[]>) =>
    [...lists]
      .map(([group, list]) => [group, list.toSorted((a, b) => a - b)])
      .sort((a, b) => (a[0]! < b[0]! ? -1 : 1))
  return {
    rows: rows.map((row) => ({ ...row, cost: Math.round(row.cost * 1e9) })),
    latencies: sorted(latencies),
    thinking: sorted(thinking),
    tools,
  }
}

type Below = (end: number) => number

function dice(seed: number): Below {
  let state = seed
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
}

interface File {
  path: string
  source: string
  id: string
  workspace: string | undefined
  rank: number
  generation: number
  messages: Message[]
  told: number
}

/** Some files tell of one chat together, and some chats begin with the same messages. */
function newFile(seed: number, n: number, below: Below): File {
  return {
    path: `/${seed}/${n}`,
    source: `source-${below(2)}`,
    id: `${seed}-${below(3) === 0 ? below(4) : n}`,
    workspace: below(4) === 0 ? undefined : `/w/${below(3)}`,
    rank: below(3),
    generation: 0,
    messages:
      below(4) === 0 ? Array.from({ length: 3 }, (_, i) => message(`${seed}-shared-${i}`, i, dice(i))) : [],
    told: 0,
  }
}

function read(file: File, below: Below): UnitReading {
  const begins = file.generation === 0 || below(3) === 0
  if (begins) {
    file.generation++
    file.told = 0
    // Taken back, or said otherwise.
    file.messages = file.messages
      .filter(() => below(5) > 0)
      .map((each) => (below(4) === 0 ? message(each.id, each.order, below) : each))
    if (below(5) === 0) file.workspace = `/w/${below(3)}`
  }
  for (let i = below(5); i > 0; i--) {
    const order = (file.messages.at(-1)?.order ?? 10) + 1
    file.messages.push(message(`${file.path}-${order}`, order, below))
  }
  const told = file.messages.slice(file.told)
  file.told = file.messages.length
  const { source, id, workspace, generation, rank } = file
  return {
    ...{ source, path: file.path, rank, generation, begins },
    fingerprint: { stamp: 's', inode: 1, size: 1, mtime: generation, head: '', tail: '' },
    chats: [
      { source, id, ...(workspace && { workspace }), ...(below(2) && { createdAt: START + below(1e9) }) },
    ],
    messages: told.map((each) => ({ chatId: id, message: each })),
    problems: [],
    completes: begins && generation > 1 && told.length > 0,
  }
}

const KINDS: MessageKind[] = ['request', 'answer', 'answer', 'tool', 'injected']

function message(id: string, order: number, below: Below): Message {
  const kind = KINDS[below(KINDS.length)]!
  const maybe = <T>(value: T) => (below(2) ? value : undefined)
  const call = `call-${below(4)}`
  return {
    id,
    order,
    role: kind === 'request' ? 'user' : 'assistant',
    kind,
    text: `said ${below(1e6)}`,
    ...(below(5) > 0 && { createdAt: START + order * HOUR + below(9e7) }),
    ...(below(2) && { model: `model-${below(3)}` }),
    ...(below(2) && {
      usage: {
        input: maybe(below(9_000)),
        output: maybe(below(900)),
        cached: maybe(below(90)),
        cost: maybe(below(1_000) / 777),
      },
    }),
    ...(below(2) && { latencyMs: below(90_000) }),
    ...(below(3) === 0 && { thinkingMs: below(9_000) }),
    ...(below(2) && { toolCalls: [{ id: call, tool: `tool-${below(3)}` }] }),
    ...(below(3) === 0 && { toolResults: [{ callId: `call-${below(4)}`, error: 'no' }] }),
    ...(below(9) === 0 && { undone: true }),
  }
}
