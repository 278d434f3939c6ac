import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { count, NO_TYPE, unknownIn } from '../sources/coverage/survey.ts'
import { filesOf } from '../sources/imports/files.ts'
import { loadSigns, type Native, Natives } from '../sources/imports/native.ts'
import { withReader } from '../sources/source.ts'
import { gather, lineEnds } from '../sources/test-kit.ts'
import { Syncer } from './sync.ts'

/** Sessions that real assistants wrote and that are too large or not ours to keep here: looked at where they are. */
const SAMPLES = path.join(import.meta.dirname, '../../../shared/samples')
const FOLDERS = ['made-here', 'more', 'public', 'synthetic'].map((name) => path.join(SAMPLES, name))
const isThere = FOLDERS.every((folder) => fs.existsSync(folder))
const STEPS = 6
const LARGEST = 400_000

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-samples-'))
const natives = new Natives(await loadSigns())
after(() => {
  natives.close()
  fs.rmSync(temp, { recursive: true, force: true })
})

async function sessions(): Promise<{ file: string; native: Native }[]> {
  const found: { file: string; native: Native }[] = []
  for (const folder of FOLDERS)
    for await (const { path: file } of filesOf(folder, { files: 0, bytes: 0 })) {
      const native = file && natives.recognise(file)
      if (native) found.push({ file, native })
    }
  return found
}

test('samples: no kind is unknown, and nothing that was typed is missing', { skip: !isThere }, async () => {
  const all = await sessions()
  assert.ok(all.length > 50)
  for (const { file, native } of all) {
    const { source, unit, machine } = native
    const { survey } = await source.survey()
    const tally = count(survey, unit)
    const requests = Object.values(gather((await withReader(source)).read(unit, undefined, machine)).messages)
      .flat()
      .filter(({ kind }) => kind === 'request')
    // Without a type it is a damaged record, not a new one.
    const unknown = unknownIn(survey, tally).filter(([kind]) => kind !== NO_TYPE)
    assert.deepEqual(unknown, [], file)
    if (!unit.standsIn)
      assert.ok(requests.length >= tally.turns, `${requests.length} of ${tally.turns}: ${file}`)
  }
})

test('samples: read while they grow, and read once', { skip: !isThere }, async () => {
  const archive = openSqliteArchive(path.join(temp, 'archive'))
  try {
    const lease = await archive.takeLease('test')
    assert.ok('holder' in lease)
    const syncer = new Syncer(
      { archive, sources: [], machine: { platform: 'linux', home: temp, env: {} } },
      lease,
    )
    const seen = new Set<string>()
    for (const [at, { file }] of (await sessions()).entries()) {
      const bytes = fs.readFileSync(file)
      const isText = /\.jsonl$/.test(file) && bytes.length <= LARGEST
      if (!isText) continue
      const copy = path.join(temp, String(at), path.basename(file))
      fs.mkdirSync(path.dirname(copy))
      fs.writeFileSync(copy, bytes)
      const native = natives.recognise(copy)
      if (!native) continue
      const once = await said(native)
      const chats = Object.keys(once)
      // Another version of a chat that was there already.
      if (chats.some((id) => seen.has(id))) continue
      for (const id of chats) seen.add(id)
      for (const cut of [...cuts(bytes), bytes.length]) {
        fs.writeFileSync(copy, bytes.subarray(0, cut))
        const unit = { ...native.unit, stat: fs.statSync(native.unit.path) }
        await syncer.syncUnits([{ ...native, unit }])
      }
      for (const id of chats) {
        const chat = await archive.resolveChat(`${native.source.id}:${id}`)
        const grown = (await archive.messages(chat)).map(({ id, kind, text, undone }) => ({
          id,
          kind,
          text,
          undone,
        }))
        assert.deepEqual(JSON.parse(JSON.stringify(grown)), once[id], file)
      }
    }
  } finally {
    await archive.close()
  }
})

/** Line ends, and places within lines. */
function cuts(bytes: Buffer): number[] {
  const ends = lineEnds(bytes)
  return Array.from({ length: STEPS - 1 }, (_, at) => {
    const end = ends[Math.floor(((at + 1) / STEPS) * ends.length)] ?? bytes.length
    return at % 2 ? end : Math.max(0, end - 20)
  })
}

async function said({ source, unit, machine }: Native): Promise<Record<string, unknown[]>> {
  const { messages } = gather((await withReader(source)).read(unit, undefined, machine))
  const plain = Object.entries(messages).map(([id, list]) => [
    id,
    list.map(({ id, kind, text, undone }) => ({ id, kind, text, undone })),
  ])
  return JSON.parse(JSON.stringify(Object.fromEntries(plain)))
}
