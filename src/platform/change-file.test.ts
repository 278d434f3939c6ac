import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { changeFile, changeSmallFile } from './change-file.ts'
import { hostName } from './lock.ts'
import { renamePatiently } from './patience.ts'

const base = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-small-'))
after(() => fs.rmSync(base, { recursive: true, force: true }))
const MODULE = pathToFileURL(path.join(import.meta.dirname, 'change-file.ts')).href

let made = 0
function smallFile(): string {
  return path.join(base, `folder-${made++}`, 'list.txt')
}

/** Another process that adds a line; `slowly` keeps it busy between reading and writing. */
function adding(file: string, line: string, slowly = 0) {
  const code = `import { changeSmallFile } from ${JSON.stringify(MODULE)}
    changeSmallFile(${JSON.stringify(file)}, (text = '') => {
      if (!globalThis.told) process.stdout.write('inside\\n')
      if (!globalThis.told) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${slowly})
      globalThis.told = true
      return text + ${JSON.stringify(`${line}\n`)}
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, inside: once(child.stdout!, 'data'), ended: once(child, 'close') }
}

test('a writer that is only slow neither loses its own change nor undoes the one made meanwhile', async () => {
  const file = smallFile()
  const slow = adding(file, 'slow', 5_500)
  await slow.inside
  changeSmallFile(file, (text = '') => `${text}quick\n`)
  assert.deepEqual(await slow.ended, [0, null])
  assert.deepEqual(fs.readFileSync(file, 'utf8').trim().split('\n').toSorted(), ['quick', 'slow'])
})

test('many processes at once: every change is there, and nothing is left beside the file', async () => {
  const file = smallFile()
  const writers = Array.from({ length: 6 }, (_, at) => adding(file, `line ${at}`))
  for (const { ended } of writers) assert.deepEqual(await ended, [0, null])
  assert.equal(fs.readFileSync(file, 'utf8').trim().split('\n').length, 6)
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['list.txt'])
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
})

test('a killed writer does not keep the next one waiting', async () => {
  const file = smallFile()
  const killed = adding(file, 'never', 60_000)
  await killed.inside
  killed.child.kill('SIGKILL')
  await killed.ended
  changeSmallFile(file, (text = '') => `${text}next\n`)
  assert.equal(fs.readFileSync(file, 'utf8'), 'next\n')
})

test('a change that fails leaves the file as it was, and no lock', () => {
  const file = smallFile()
  changeSmallFile(file, () => 'before\n')
  assert.throws(() =>
    changeSmallFile(file, () => {
      throw new Error('no')
    }),
  )
  assert.equal(fs.readFileSync(file, 'utf8'), 'before\n')
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['list.txt'])
})

test('where a virus scanner holds a file for a moment, it is tried again', async (t) => {
  const file = smallFile()
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
  t.after(() => Object.defineProperty(process, 'platform', platform))
  /** Refuses six times what is done to the file that is being prepared, as long as the test says so. */
  const refuse = async (on: object, method: string, act: () => unknown) => {
    const codes = ['EPERM', 'EPERM', 'EACCES', 'EACCES', 'EBUSY', 'EBUSY']
    const real = Reflect.get(on, method) as (...given: unknown[]) => unknown
    const mocked = t.mock.method(on as typeof fs, method as 'openSync', (...given: unknown[]) => {
      const code = String(given[0]).endsWith('.tmp') ? codes.shift() : undefined
      if (!code) return real.apply(on, given) as number
      const error = Object.assign(new Error(code), { code })
      if (on === fs.promises) return Promise.reject(error) as never
      throw error
    })
    await act()
    mocked.mock.restore()
    assert.deepEqual(codes, [], `${method} was refused six times`)
  }
  const replace = (text: string) =>
    changeFile(file, async () => ({ change: { replace: Buffer.from(text) }, answer: undefined }))
  await refuse(fs, 'openSync', () => changeSmallFile(file, () => 'one\n'))
  await refuse(fs, 'renameSync', () => changeSmallFile(file, () => 'two\n'))
  assert.equal(fs.readFileSync(file, 'utf8'), 'two\n')
  await refuse(fs.promises, 'open', () => replace('three\n'))
  await refuse(fs.promises, 'rename', () => replace('four\n'))
  assert.equal(fs.readFileSync(file, 'utf8'), 'four\n')
  fs.writeFileSync(`${file}.tmp`, 'five\n')
  await refuse(fs, 'renameSync', () => renamePatiently(`${file}.tmp`, file))
  assert.equal(fs.readFileSync(file, 'utf8'), 'five\n')
})

for (const code of ['EISDIR', 'ENOTSUP', 'EPERM']) {
  test(`on a file system without links (${code}) files are locked and made all the same`, async (t) => {
    const file = smallFile()
    const refused = () => Object.assign(new Error(code), { code })
    t.mock.method(fs, 'linkSync', () => {
      throw refused()
    })
    t.mock.method(fs.promises, 'link', () => Promise.reject(refused()))
    changeSmallFile(file, () => 'one\n')
    const other = path.join(path.dirname(file), 'made.md')
    const create = async () => ({ change: { create: Buffer.from('new\n') }, answer: true })
    assert.equal(await changeFile(other, create), true)
    await assert.rejects(changeFile(other, create), { code: 'EEXIST' })
    assert.equal(fs.readFileSync(other, 'utf8'), 'new\n')
    assert.deepEqual(fs.readdirSync(path.dirname(file)).toSorted(), ['list.txt', 'made.md'])
  })
}

test('a process of WSL is not looked for among those of Windows, which has the same host name', () => {
  const linux = hostName('6.8.0-31-generic', {})
  assert.equal(linux, os.hostname())
  const one = hostName('6.6.87.2-microsoft-standard-WSL2', { WSL_DISTRO_NAME: 'Ubuntu' })
  const other = hostName('6.6.87.2-microsoft-standard-WSL2', { WSL_DISTRO_NAME: 'Debian' })
  assert.equal(new Set([linux, one, other, hostName('5.15-Microsoft', {})]).size, 4)
})
