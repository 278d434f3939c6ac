import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { count, unknownIn } from '../src/sources/coverage/survey.ts'
import type { FixtureHome } from '../src/sources/fixture-kit.ts'
import { lookAt } from '../src/sources/imports/look.ts'
import { loadSigns } from '../src/sources/imports/native.ts'
import { sources } from '../src/sources/index.ts'
import type { Source, Unit } from '../src/sources/source.ts'
import { machineAt } from '../src/sources/test-kit.ts'
import { syncOnce } from '../src/sync/once.ts'
import type { SyncResult } from '../src/sync/sync.ts'

/** The page tells how to add a source; here it is done as it says, in a folder apart. */
const root = path.join(import.meta.dirname, '..')
const page = fs.readFileSync(path.join(root, 'docs', 'adding-a-source.md'), 'utf8')
const apart = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'recollect-parrot-'))
after(() => fs.rmSync(apart, { recursive: true, force: true }))

const EXAMPLE = 'src/sources/parrot/'
const files = new Map(
  [...page.matchAll(/^```\w+ (src\/\S+)\n(.*?)^```$/gms)].map(([, name, text]) => [name!, text!]),
)
for (const [name, text] of files) {
  const file = path.join(apart, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, name.endsWith('.ts') ? withRealImports(name, text) : text)
}
fs.writeFileSync(path.join(apart, 'package.json'), '{"type":"module"}')
const fixture = files.get(`${EXAMPLE}fixtures/talks/t-1.jsonl`)!

/** Imports from outside of the example's folder lead to the real ones. */
function withRealImports(name: string, text: string): string {
  const folder = path.posix.dirname(name)
  return text.replace(/(?<= from ')\.[^']+(?=')/g, (imported) => {
    const target = path.posix.join(folder, imported)
    if (target.startsWith(EXAMPLE)) return imported
    return path.relative(path.join(apart, folder), path.join(root, target)).replaceAll(path.sep, '/')
  })
}

function run(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: apart,
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  assert.equal(status, 0, stdout + stderr)
}

test('the page has every file of the example', () => {
  const names = [
    'fixtures/talks/t-1.jsonl',
    'index.ts',
    'talk.ts',
    'parrot.test.ts',
    'survey.ts',
    'fixture-homes.ts',
    'signs.ts',
  ]
  assert.deepEqual(
    [...files.keys()],
    names.map((name) => EXAMPLE + name),
  )
  const list = fs.readFileSync(path.join(root, 'src/sources/index.ts'), 'utf8')
  assert.ok(
    list.includes('export const sources: Source[] = [') &&
      page.includes('export const sources: Source[] = ['),
  )
})

test('its types are right', () => {
  const compilerOptions = {
    noEmit: true,
    typeRoots: [path.join(root, 'node_modules/@types')],
    types: ['node'],
  }
  const config = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions,
    include: [`${EXAMPLE}**/*.ts`],
  }
  fs.writeFileSync(path.join(apart, 'tsconfig.json'), JSON.stringify(config))
  run(path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
})

test('its test passes, and fails when its reader does not do what it says', () => {
  run('--test', `${EXAMPLE}parrot.test.ts`)
  const reader = path.join(apart, `${EXAMPLE}talk.ts`)
  const good = fs.readFileSync(reader, 'utf8')
  fs.writeFileSync(reader, good.replace("'injected' : 'request'", "'request' : 'request'"))
  assert.throws(() => run('--test', `${EXAMPLE}parrot.test.ts`))
  fs.writeFileSync(reader, good)
})

async function load<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(path.join(apart, EXAMPLE, file)).href)) as T
}

test('its survey knows every kind of record, and counts what was typed', async () => {
  const { parrot } = await load<{ parrot: Source }>('index.ts')
  const { survey } = await parrot.survey()
  const unit: Unit = { path: path.join(apart, EXAMPLE, 'fixtures/talks/t-1.jsonl'), growth: 'append' }
  const tally = count(survey, unit)
  assert.deepEqual(unknownIn(survey, tally), [])
  assert.equal(tally.turns, 1)
})

test('its file is told by what is in it, and by nobody else', async () => {
  const { parrot } = await load<{ parrot: Source }>('index.ts')
  const { signs } = await parrot.signs!()
  const look = lookAt(path.join(apart, EXAMPLE, 'fixtures/talks/t-1.jsonl'))
  assert.ok(signs.some((sign) => sign.fits(look)))
  for (const { sign } of await loadSigns()) assert.ok(!sign.fits(look))
})

test('its home is the one that all tests go over', async () => {
  const { homes } = await load<{ homes: FixtureHome[] }>('fixture-homes.ts')
  const home = path.join(apart, 'fixture-home')
  homes[0]!.put(home)
  assert.equal(fs.readFileSync(path.join(home, '.parrot/talks/t-1.jsonl'), 'utf8'), fixture)
})

test('a home is synced with it', async () => {
  const { parrot } = await load<{ parrot: Source }>('index.ts')
  const home = path.join(apart, 'home')
  const talk = path.join(home, '.parrot', 'talks', 't-1.jsonl')
  const lines = fixture.split('\n')
  fs.mkdirSync(path.dirname(talk), { recursive: true })
  fs.writeFileSync(talk, `${lines.slice(0, 3).join('\n')}\n`)
  const archive = openSqliteArchive(path.join(apart, 'archive'))
  const sync = async () =>
    (await syncOnce({ archive, sources: [...sources, parrot], machine: machineAt(home) })) as SyncResult
  assert.equal((await sync()).added, 2)
  fs.writeFileSync(talk, fixture)
  assert.equal((await sync()).added, 3, 'only what is new is read')
  const chat = await archive.resolveChat('t-1')
  assert.deepEqual([chat.title, chat.workspace, chat.format], ['Which tests fail?', '/home/me/proj', '1.4.2'])
  assert.deepEqual(
    (await archive.messages(chat)).map(({ kind }) => kind),
    ['injected', 'request', 'answer', 'tool', 'answer'],
  )
  await archive.close()
})
