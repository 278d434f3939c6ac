import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { randomFrom } from '../mutations.ts'
import { type Checkpoint, type Unit, withReader } from '../source.ts'
import { gather, machineAt } from '../test-kit.ts'
import { vscode as described } from './index.ts'

const vscode = await withReader(described)

const MUTATIONS = 2000
const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const WORKSPACE = 'User/workspaceStorage/69ebdf57'
const WORKSPACE_FILES = `${WORKSPACE}/chatSessions`

let root: string
before(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-mutations-'))
})
after(() => fs.rmSync(root, { recursive: true, force: true }))

const FAMILIES: { what: string; from: string[]; to: string; pretty?: boolean }[] = [
  {
    what: 'logs',
    from: ['30e7ff0c-c6dd-42b4-9eb3-25f7c12c55b8', '18ac9364-b08b-4782-b6d9-870233a067a2'].map(
      (id) => `${WORKSPACE_FILES}/${id}.jsonl`,
    ),
    to: 'workspaceStorage/ws/chatSessions/x.jsonl',
  },
  {
    what: 'flat files',
    from: [
      'every-part.json',
      'old/v1.json',
      'old/v2.json',
      `${WORKSPACE_FILES}/dd4cb04b-6615-4e1c-9645-e143585c3c09.json`,
    ],
    to: 'workspaceStorage/ws/chatSessions/x.json',
    pretty: true,
  },
  {
    what: 'transcripts',
    from: [`${WORKSPACE}/GitHub.copilot-chat/transcripts/30e7ff0c-c6dd-42b4-9eb3-25f7c12c55b8.jsonl`],
    to: 'workspaceStorage/ws/GitHub.copilot-chat/transcripts/t.jsonl',
  },
]

for (const { what, from, to, pretty } of FAMILIES) {
  test(`${MUTATIONS} damaged ${what} are read to the end without a throw`, () => {
    const random = randomFrom(what.length)
    const originals = from.map((name) => fs.readFileSync(path.join(FIXTURES, name)))
    const unit = placed(to)
    let checkpoint: Checkpoint | undefined
    for (let round = 0; round < MUTATIONS; round++) {
      const original = originals[round % originals.length]!
      const damaged = pretty && random() < 0.7 ? mutatedDocument(original, random) : mutated(original, random)
      fs.rmSync(unit.path, { force: true })
      fs.writeFileSync(unit.path, damaged)
      const reading = gather(vscode.read(unit, undefined, machineAt(root)))
      assert.doesNotThrow(() => JSON.stringify(reading))
      // A checkpoint of another file is the worst that a rewritten one can meet.
      if (round % 4 === 0) gather(vscode.read(unit, checkpoint, machineAt(root)))
      checkpoint = reading.checkpoint ?? checkpoint
      assert.ok(JSON.stringify(checkpoint ?? null).length < 256 * 1024)
    }
  })
}

test(`${MUTATIONS} damaged stores of old sessions are read to the end without a throw`, () => {
  const random = randomFrom(7)
  const original = fs.readFileSync(path.join(FIXTURES, 'old/interactive-sessions.json'))
  const unit = placed('workspaceStorage/ws/state.vscdb')
  const db = new DatabaseSync(unit.path)
  db.exec(
    'PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)',
  )
  const store = db.prepare("INSERT INTO ItemTable VALUES ('interactive.sessions', ?)")
  for (let round = 0; round < MUTATIONS; round++) {
    const damaged = random() < 0.7 ? mutatedDocument(original, random) : mutated(original, random)
    store.run(random() < 0.5 ? damaged.toString('utf8') : damaged)
    JSON.stringify(gather(vscode.read(unit, undefined, machineAt(root))))
  }
  db.close()
  const bytes = fs.readFileSync(unit.path)
  for (let round = 0; round < 200; round++) {
    fs.rmSync(unit.path)
    fs.writeFileSync(unit.path, mutated(bytes, random))
    gather(vscode.read(unit, undefined, machineAt(root)))
  }
})

test('values nested too deeply to be stored are left out', () => {
  const depths = nested(50_000)
  const part =
    '{"kind":"toolInvocationSerialized","toolId":"t","toolCallId":"c","toolSpecificData":{"kind":"input","rawInput":DEEP}}'
  const request = `{"requestId":"r","message":{"text":"hi"},"modelState":{"value":0},"response":[${part},DEEP,{"kind":"treeData","treeData":DEEP}],"result":{"metadata":{"toolCallResults":{"c":{"content":[{"value":{"node":DEEP}}]}},"toolCallRounds":DEEP}},"contentReferences":[{"reference":DEEP}]}`
  const log = placed('workspaceStorage/ws/chatSessions/deep.jsonl')
  fs.writeFileSync(log.path, `{"kind":0,"v":{"requests":[${request}]}}\n`.replaceAll('DEEP', depths))
  const reading = gather(vscode.read(log, undefined, machineAt(root)))
  assert.equal(reading.messages.deep!.length, 2)
  assert.ok(JSON.stringify(reading).length < 2000)
})

function placed(name: string): Unit {
  const unit = vscode.unit(name, { path: root })!
  fs.mkdirSync(path.dirname(unit.path), { recursive: true })
  return unit
}

type Random = () => number

function mutated(bytes: Buffer, random: Random): Buffer {
  const at = Math.floor(random() * bytes.length)
  const text = bytes.toString('latin1')
  const lines = text.split('\n')
  const line = Math.floor(random() * lines.length)
  const join = () => Buffer.from(lines.join('\n'), 'latin1')
  switch (Math.floor(random() * 9)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      lines.splice(line, 1)
      return join()
    case 2:
      lines.splice(line, 0, lines[line]!)
      return join()
    case 3: {
      const other = Math.floor(random() * lines.length)
      ;[lines[line], lines[other]] = [lines[other]!, lines[line]!]
      return join()
    }
    case 4: {
      const copy = Buffer.from(bytes)
      for (let flips = 0; flips < 3; flips++) copy[Math.floor(random() * copy.length)]! ^= 1 << (flips * 2)
      return copy
    }
    case 5:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0, 0xff, 0xc0, 0]), bytes.subarray(at)])
    case 6:
      lines[line] = nested(500)
      return join()
    default:
      lines[line] = String(mutatedDocument(Buffer.from(lines[line]!, 'latin1'), random))
      return join()
  }
}

/** One value somewhere in a JSON document replaced by one of another type. */
function mutatedDocument(bytes: Buffer, random: Random): Buffer {
  let document: unknown
  try {
    document = JSON.parse(bytes.toString('utf8'))
  } catch {
    return bytes
  }
  for (let changes = 0; changes < 3; changes++) {
    let holder = document as Record<string, unknown>
    for (let depth = Math.floor(random() * 8); depth >= 0; depth--) {
      if (typeof holder !== 'object' || holder === null) break
      const keys = Object.keys(holder)
      const key = keys[Math.floor(random() * keys.length)]
      if (key === undefined) break
      const next = holder[key]
      if (depth === 0 || typeof next !== 'object' || next === null) {
        holder[key] = strange(random)
        break
      }
      holder = next as Record<string, unknown>
    }
  }
  return Buffer.from(JSON.stringify(document)?.replace('"STRANGE"', '{"__proto__":{"x":1}}') ?? '')
}

function strange(random: Random): unknown {
  const values = [
    null,
    0,
    -1,
    1e300,
    4e9,
    true,
    '',
    'text',
    '\ud800',
    [],
    {},
    [[[]]],
    [null],
    'STRANGE',
    deep(3000),
  ]
  return values[Math.floor(random() * values.length)]
}

function deep(levels: number): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { children: value }
  return value
}

function nested(levels: number): string {
  return `${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`
}
