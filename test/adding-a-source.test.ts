import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { count, type Survey, unknownIn } from '../src/sources/coverage/survey.ts'
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
const SURVEY = 'src/sources/coverage/parrot.ts'
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
  const names = ['fixtures/talks/t-1.jsonl', 'index.ts', 'talk.ts', 'parrot.test.ts']
  assert.deepEqual([...files.keys()], [...names.map((name) => EXAMPLE + name), SURVEY])
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
    include: [`${EXAMPLE}**/*.ts`, SURVEY],
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

test('its survey knows every kind of record, and counts what was typed', async () => {
  const { parrot } = (await import(pathToFileURL(path.join(apart, SURVEY)).href)) as { parrot: Survey }
  const unit: Unit = { path: path.join(apart, EXAMPLE, 'fixtures/talks/t-1.jsonl'), growth: 'append' }
  const tally = count(parrot, unit)
  assert.deepEqual(unknownIn(parrot, tally), [])
  assert.equal(tally.turns, 1)
})

test('a home is synced with it', async () => {
  const { parrot } = (await import(pathToFileURL(path.join(apart, EXAMPLE, 'index.ts')).href)) as {
    parrot: Source
  }
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
