import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { sources } from '../index.ts'
import { mutations } from '../mutations.ts'
import { withReader } from '../source.ts'
import { fixtureHomes } from '../test-homes.ts'
import { gather, machineAt, unitsOf } from '../test-kit.ts'
import { recognise } from './index.ts'
import { loadSigns, Natives } from './native.ts'

const readers = new Map(
  await Promise.all(sources.map(async (source) => [source.id, await withReader(source)] as const)),
)

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-native-'))
const natives = new Natives(await loadSigns())
after(() => {
  natives.close()
  fs.rmSync(temp, { recursive: true, force: true })
})
let folders = 0
const folder = () => {
  const made = path.join(temp, String(++folders))
  fs.mkdirSync(made)
  return made
}

/** Whose a file is taken for, and what it tells. */
function taken(file: string) {
  const native = natives.recognise(file)
  if (!native) return undefined
  const { chats, messages } = gather(
    readers.get(native.source.id)!.read(native.unit, undefined, native.machine),
  )
  const said = Object.entries(messages).map(([chat, list]) => [
    chat,
    list.map(({ id, kind, text, undone }) => ({ id, kind, text, undone })),
  ])
  return { source: native.source.id, chats: chats.map(({ id }) => id), said }
}

function unitsIn(id: string, put: (home: string) => void) {
  const home = folder()
  put(home)
  return unitsOf(sources.find((source) => source.id === id)!, machineAt(home))
}

/** Titles, which say nothing without their chats; and what is called by where it lies. */
const BOUND = /session_index\.jsonl$|local_\w+\.json$|\.aider\.chat\.history\.md$/

for (const { id, name, whole: kept, put } of fixtureHomes) {
  test(`${name}: its files are known wherever they lie`, () => {
    for (const unit of unitsIn(id, put)) {
      if (BOUND.test(unit.path) || unit.standsIn) continue
      const told = taken(unit.path)
      assert.equal(told?.source, id, unit.path)
      const odd = path.join(folder(), 'from somebody')
      const [whole, within] = belongings(unit.path, kept)
      fs.cpSync(whole, path.join(odd, path.basename(whole)), { recursive: true })
      assert.deepEqual(taken(path.join(odd, path.basename(whole), within)), told, unit.path)
    }
  })
}

const WHOLE =
  /^(.*[\\/](?:tasks[\\/][^\\/]+|session-state[\\/][^\\/]+|sessions[\\/]\d+_[^\\/]+|storage|chats[\\/][0-9a-f-]{36}|sessions[\\/]2026[\\/]11[\\/]15))[\\/](.*)$/

/** What a file is of no use without, and where it lies in that: the folder of its task, its session, its thread. */
function belongings(file: string, pattern = WHOLE): [whole: string, within: string] {
  const kept = pattern.exec(file)
  return kept ? [kept[1]!, kept[2]!] : [file, '']
}

test('a session under another name is the same chat', () => {
  for (const id of ['claude-code', 'codex', 'vscode', 'copilot-cli', 'gemini-cli', 'continue']) {
    for (const unit of unitsIn(id, fixtureHomes.find((fixture) => fixture.id === id)!.put)) {
      const { dir, base } = path.parse(unit.path)
      // A sub-agent is known by its name, a transcript by where it lies.
      if (BOUND.test(base) || /^agent-/.test(base) || /transcripts|chats.[0-9a-f-]{36}$/.test(dir)) continue
      const file = path.join(folder(), `shared with you${base.endsWith('l') ? '.jsonl' : '.json'}`)
      fs.copyFileSync(unit.path, file)
      assert.deepEqual(taken(file)?.chats, taken(unit.path)?.chats, unit.path)
    }
  }
})

test('an Aider history under any name', () => {
  const file = path.join(folder(), 'aider-log.md')
  fs.copyFileSync(path.join(import.meta.dirname, '../aider/fixtures/history.md'), file)
  assert.equal(taken(file)?.source, 'aider')
  assert.equal(taken(file)?.chats.length, 3)
  assert.deepEqual(taken(file), taken(file))
})

test("what is nobody's session is not taken for one", () => {
  const others = [
    '{"type":"note","text":"milk"}\n{"type":"note"}\n',
    '[]',
    '{}',
    'hello',
    '',
    'SQLite format 3\0',
    '[{"role":"user","content":"x"}]',
  ]
  for (const [at, text] of others.entries()) {
    const file = path.join(folder(), `${at}.json`)
    fs.writeFileSync(file, text)
    assert.equal(natives.recognise(file), undefined, text)
  }
  for (const name of fs.readdirSync(path.join(import.meta.dirname, 'fixtures')))
    assert.equal(natives.recognise(path.join(import.meta.dirname, 'fixtures', name)), undefined, name)
})

test('what opencode exports is the session that it has', () => {
  const file = path.join(import.meta.dirname, 'fixtures', 'opencode.json')
  const exported = recognise({ path: file, name: 'session.json' })
  assert.equal(exported.kind?.id, 'opencode')
  const { chats, messages } = gather(exported.kind ? exported.found : [])
  const [chat] = chats
  assert.deepEqual(
    [chat?.id, chat?.title, chat?.workspace, chat?.format],
    ['ses_31a2', 'Retry the webhook', '/home/me/shop', '1.0.185'],
  )
  assert.deepEqual(
    messages.ses_31a2?.map(({ id, kind, text, toolCalls }) => [id, kind, text, toolCalls?.length]),
    [
      ['msg_1', 'request', 'Add a retry to the webhook', undefined],
      ['msg_2', 'answer', 'It retries three times now.', 1],
    ],
  )
})

test('no damage makes the looking throw', () => {
  for (const [id, name] of [
    ['claude-code', 'x.jsonl'],
    ['vscode', 'x.json'],
    ['cline', 'ui_messages.json'],
  ] as const) {
    const [unit] = unitsIn(id, fixtureHomes.find((fixture) => fixture.id === id)!.put)
    const file = path.join(folder(), name)
    for (const bytes of mutations(fs.readFileSync(unit!.path), 200)) {
      fs.writeFileSync(file, bytes)
      natives.recognise(file)
    }
  }
})
