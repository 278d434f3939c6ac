import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { sources } from '../sources/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { existingRoots } from './discover.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-loading-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

/** A process of its own that syncs a home, and tells which files of the sources were loaded before it and by it. */
const SYNC = `
import module from 'node:module'
const loaded = new Set()
module.registerHooks({
  load(url, context, next) {
    if (url.includes('/src/sources/')) loaded.add(url.slice(url.indexOf('/src/sources/') + 13))
    return next(url, context)
  },
})
const [root, home] = process.argv.slice(1)
const at = (file) => import(new URL(file, root).href)
const { sources } = await at('sources/index.ts')
const { syncOnce } = await at('sync/once.ts')
const { openSqliteArchive } = await at('archive/sqlite/index.ts')
const before = [...loaded]
loaded.clear()
const archive = openSqliteArchive(home + '/archive')
await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} }, threads: 0 })
const chats = (await archive.listChats({})).length
await archive.close()
console.log(JSON.stringify({ before, during: [...loaded], chats }))
`

function loadedIn(home: string): { before: string[]; during: string[]; chats: number } {
  const root = new URL('../', import.meta.url).href
  const args = ['--input-type=module', '-e', SYNC, root, home]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

test('only the readers of assistants that are there are loaded', () => {
  const nobody = path.join(temp, 'nobody')
  fs.mkdirSync(nobody)
  const { before, during, chats } = loadedIn(nobody)
  assert.equal(chats, 0)
  assert.deepEqual(during, [])
  assert.deepEqual(
    before.filter((file) => file.endsWith('/reader.ts')),
    [],
  )

  const home = path.join(temp, 'me')
  const project = path.join(home, '.claude', 'projects', 'p')
  fs.mkdirSync(project, { recursive: true })
  const line = { type: 'user', uuid: 'u1', sessionId: 's1', message: { role: 'user', content: 'Hello' } }
  fs.writeFileSync(path.join(project, 's1.jsonl'), `${JSON.stringify(line)}\n`)
  const one = loadedIn(home)
  assert.equal(one.chats, 1)
  assert.ok(one.during.includes('claude-code/reader.ts'), String(one.during))
  const others = one.during.filter((file) => file.includes('/') && !/^(claude-code|coverage)\//.test(file))
  assert.deepEqual(others, [])
})

test('an assistant that is not there costs one look at each of its places', (t) => {
  const machine = machineAt(path.join(temp, 'elsewhere'))
  const places = sources.flatMap((source) => source.roots(machine).map((root) => root.path))
  const stats = t.mock.method(fs, 'statSync')
  const others = [t.mock.method(fs, 'realpathSync'), t.mock.method(fs, 'readdirSync')]
  const roots = sources.map((source) => source.roots(machine))
  const looksOfRoots = stats.mock.callCount()
  for (const [at, source] of sources.entries())
    assert.deepEqual(existingRoots({ ...source, roots: () => roots[at]! }, machine), [])
  assert.deepEqual(
    stats.mock.calls.slice(looksOfRoots).map((call) => call.arguments[0]),
    places,
  )
  for (const each of others) assert.equal(each.mock.callCount(), 0)
})
