import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { diceFrom } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, lineEnds, machineAt, type Reading, readGrowing, unitsOf } from '../test-kit.ts'
import { claudeCode as described } from './index.ts'

const claudeCode = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const HOME = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-claude-code-'))
after(() => fs.rmSync(HOME, { recursive: true, force: true }))

const machine = machineAt(HOME, { CLAUDE_CONFIG_DIR: FIXTURES })

describe('A transcript that grows', () => {
  fs.cpSync(FIXTURES, path.join(HOME, 'growing'), { recursive: true })
  for (const unit of unitsOf(claudeCode, machine)) {
    const name = path.basename(unit.path)
    const copy = { ...unit, path: path.join(HOME, 'growing', path.relative(FIXTURES, unit.path)) }
    const whole = told(gather(claudeCode.read(copy, undefined, machine)))
    const bytes = fs.readFileSync(copy.path)

    test(`${name}: line by line ends as read at once`, () => {
      assert.deepEqual(told(readGrowing(claudeCode, copy, machine, lineEnds(bytes))), whole)
    })
    test(`${name}: cut once after each line ends as read at once`, () => {
      for (const cut of lineEnds(bytes)) {
        assert.deepEqual(told(readGrowing(claudeCode, copy, machine, [cut])), whole, `cut at ${cut}`)
      }
    })
    test(`${name}: cut anywhere ends as read at once`, () => {
      const random = diceFrom(7)
      for (let round = 0; round < 20; round++) {
        const cuts = Array.from({ length: 1 + (round % 4) }, () => random(bytes.length)).sort((a, b) => a - b)
        assert.deepEqual(told(readGrowing(claudeCode, copy, machine, cuts)), whole, `cut at ${cuts}`)
      }
    })
  }

  test('tells the header again when only the side file changed', () => {
    const folder = path.join(HOME, 'side', '-p', 's', 'subagents')
    fs.mkdirSync(folder, { recursive: true })
    const file = path.join(folder, 'agent-7.jsonl')
    fs.writeFileSync(file, '{"type":"user","uuid":"u","message":{"role":"user","content":"go"}}\n')
    const unit = { path: file, growth: 'append' as const }
    const before = gather(claudeCode.read(unit, undefined, machine))
    assert.deepEqual(before.chats, [
      { source: 'claude-code', id: 'agent-7', parentId: 's', subagent: true, status: 'running' },
    ])
    fs.writeFileSync(path.join(folder, 'agent-7.meta.json'), '{"description":"Go there","finished":true}')
    const later = [...claudeCode.read(unit, before.checkpoint, machine)]
    assert.deepEqual(later[0], {
      chat: {
        source: 'claude-code',
        id: 'agent-7',
        parentId: 's',
        subagent: true,
        title: 'Go there',
        status: 'done',
      },
    })
  })

  test('reads from the start when the checkpoint is of another version', () => {
    const [unit] = unitsOf(claudeCode, machine)
    const found = [...claudeCode.read(unit!, { offset: 100, state: { version: 0 } }, machine)]
    assert.deepEqual(found[0], { restart: true })
    assert.deepEqual(told(gather(found)), told(gather(claudeCode.read(unit!, undefined, machine))))
  })
})

test('knows a far copy of old history by its age, and keeps the first place of each message', () => {
  const stamp = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  const lines = Array.from({ length: 200 }, (_, n) => user(`prompt ${n}`, `u${n}`, stamp(n)))
  const unit = write('far-copy', [...lines, ...lines.slice(0, 50), user('new', 'u-new', stamp(201))])
  const reading = gather(claudeCode.read(unit, undefined, machine))
  const texts = reading.messages['far-copy']!.map(({ text }) => text)
  assert.deepEqual(texts, [...lines.map((_, n) => `prompt ${n}`), 'new'])
  const grown = readGrowing(claudeCode, unit, machine, [9_000, 20_000, 25_000, 30_000])
  assert.deepEqual(told(grown), told(reading))
})

test('a long reading may be broken off at each checkpoint', () => {
  const lines = Array.from({ length: 2500 }, (_, n) =>
    n % 5 === 0
      ? user(`prompt ${n}`, `u${n}`, '2026-01-01T00:00:00Z')
      : `{"type":"assistant","uuid":"u${n}","message":{"id":"m${Math.floor(n / 10)}","content":[{"type":"text","text":"part ${n}"}]}}`,
  )
  const unit = write('long', lines)
  const found = [...claudeCode.read(unit, undefined, machine)]
  const whole = told(gather(found))
  const stops = found.flatMap((item, place) => ('checkpoint' in item ? [place + 1] : []))
  assert.equal(stops.length, 3)
  for (const stop of stops) {
    const begun = gather(found.slice(0, stop))
    assert.deepEqual(told(gather(claudeCode.read(unit, begun.checkpoint, machine), begun)), whole)
  }
})

test('a clock that went back loses nothing', () => {
  const lines = [user('noon', 'a', '2026-01-01T12:00:00Z'), user('ten', 'b', '2026-01-01T10:00:00Z')]
  const reading = gather(claudeCode.read(write('clock', lines), undefined, machine))
  assert.deepEqual(
    reading.messages.clock?.map(({ text }) => text),
    ['noon', 'ten'],
  )
})

test('keeps an image', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(80_000) },
  }
  const record = { type: 'user', uuid: 'u', message: { role: 'user', content: [image] } }
  const reading = gather(claudeCode.read(write('image', [JSON.stringify(record)]), undefined, machine))
  const [message] = reading.messages.image!
  assert.equal(message?.kind, 'request')
  assert.deepEqual(message?.attachments, [
    { name: 'image', type: 'image', mimeType: 'image/png', bytes: 60_000, data: 'A'.repeat(80_000) },
  ])
})

test('a file without a conversation is no chat', () => {
  const lines = ['{"type":"mode","mode":"normal"}', '{"type":"custom-title","customTitle":"empty"}']
  const found = [...claudeCode.read(write('no-chat', lines), undefined, machine)]
  assert.deepEqual(
    found.map((item) => Object.keys(item)),
    [['checkpoint']],
  )
})

describe('Damaged and hostile transcripts', () => {
  const FAMILIES = {
    2025: ['-home-me-shop/0b1f6c1e-0000-4000-8000-0000000000c3'],
    2026: [
      '-home-me-proj/5c1d2cfb-11ff-4f33-8421-9738a9cfff59',
      '-home-me-shop/0b1f6c1e-0000-4000-8000-0000000000a1',
      '-home-me-shop/0b1f6c1e-0000-4000-8000-0000000000b2',
      '-home-me-shop/0b1f6c1e-0000-4000-8000-0000000000d4',
    ],
  }
  for (const [year, names] of Object.entries(FAMILIES)) {
    test(`2,000 kinds of damage to transcripts of ${year} are survived`, () => {
      const good = names.map((name) => fs.readFileSync(path.join(FIXTURES, 'projects', `${name}.jsonl`)))
      const random = diceFrom(Number(year))
      const unit = write('damaged', [])
      for (let round = 0; round < 2000; round++) {
        const bad = damaged(good[round % good.length]!, random)
        fs.writeFileSync(unit.path, bad)
        const whole = gather(claudeCode.read(unit, undefined, machine))
        assert.ok(JSON.stringify(whole.checkpoint).length < 256 * 1024)
        if (round % 20 > 0) continue
        const cuts = [random(bad.length + 1), random(bad.length + 1)].sort((a, b) => a - b)
        const grown = readGrowing(claudeCode, unit, machine, cuts)
        assert.deepEqual(told(grown), told(whole), `round ${round}, cut at ${cuts}`)
      }
    })
  }

  test('ids of any length, keys of any name and any nesting leave the checkpoint small', () => {
    const long = 'x'.repeat(100_000)
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const lines: string[] = []
    for (let n = 0; n < 300; n++) {
      lines.push(user(`${n}${long.slice(0, 300)}`, `u${n}`, '2026-01-01T00:00:00Z', `p${n % 40}`))
      lines.push(
        `{"type":"assistant","isSidechain":${n % 3 === 0},"uuid":"a${n}","parentUuid":"u${n}","message":{"id":"m${n}","content":[{"type":"tool_use","id":"t${n}","name":"Read","input":{"file_path":"/${long.slice(0, 900)}","__proto__":${n === 5 ? nested : 1}}}]}}`,
      )
      lines.push(`{"type":"summary","summary":"${long}","leafUuid":"nobody-${n}"}`)
    }
    lines.push(user('long id', long, '2026-01-01T00:00:00Z'))
    lines.push('{"type":"__proto__"}', '{"type":"user","message":{"content":"own","__proto__":{"x":1}}}')
    const unit = write('hostile', lines)
    const reading = gather(claudeCode.read(unit, undefined, machine))
    assert.ok(JSON.stringify(reading.checkpoint).length < 256 * 1024)
    assert.equal(reading.messages.hostile?.at(-1)?.text, 'own')
    assert.equal(reading.problems.length, 0)
  })
})

/** What must be the same however the file was cut. */
function told({ chats, messages, problems }: Reading) {
  return { chats: chats.toSorted((a, b) => (a.id < b.id ? -1 : 1)), messages, problems }
}

function write(id: string, lines: string[]) {
  const file = path.join(HOME, `${id}.jsonl`)
  fs.writeFileSync(file, lines.map((text) => `${text}\n`).join(''))
  return { path: file, growth: 'append' as const }
}

function user(text: string, uuid: string, timestamp: string, parentUuid?: string): string {
  return JSON.stringify({
    parentUuid,
    type: 'user',
    uuid,
    timestamp,
    message: { role: 'user', content: text },
  })
}

const ODD_VALUES = [
  'null',
  '[]',
  '{}',
  '-1',
  'true',
  '1e999',
  '""',
  '"\\u0000\\ud800"',
  '[[[[[[[[[[1]]]]]]]]]]',
  '"user"',
  '"Infinity"',
]

function damaged(good: Buffer, random: (sides: number) => number): Buffer {
  let lines = good.toString('utf8').split('\n')
  const pick = () => random(lines.length)
  for (let times = 1 + random(3); times > 0; times--) {
    switch (random(9)) {
      case 0:
        lines.splice(pick(), 1 + random(3))
        break
      case 1:
        lines.splice(pick(), 0, lines[pick()] ?? '')
        break
      case 2: {
        const a = pick()
        const b = pick()
        ;[lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? '']
        break
      }
      case 3: {
        const at = pick()
        lines[at] = (lines[at] ?? '').slice(0, random(400))
        break
      }
      case 4: {
        const at = pick()
        const values = [...(lines[at] ?? '').matchAll(/:("[^"]*"|true|false|null|\d+|\{\}|\[\])/g)]
        const value = values[random(values.length)]
        if (value) {
          const odd = ODD_VALUES[random(ODD_VALUES.length)]
          lines[at] =
            `${lines[at]!.slice(0, value.index + 1)}${odd}${lines[at]!.slice(value.index + value[0].length)}`
        }
        break
      }
      case 5:
        lines.splice(pick(), 0, `${'['.repeat(5000)}${']'.repeat(5000)}`)
        break
      case 6:
        lines.splice(pick(), 0, '\0'.repeat(random(50)))
        break
      case 7:
        lines = lines.toReversed()
        break
      default:
        lines[pick()] = (lines[pick()] ?? '').replace(/"(uuid|parentUuid|id)":"[^"]*"/, '"$1":"a1-004"')
    }
  }
  const bytes = Buffer.from(lines.join('\n'))
  if (random(3) === 0)
    for (let flips = random(6); flips > 0; flips--) bytes[random(bytes.length)] = random(256)
  return random(5) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
}
