import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { claudeCode } from '../sources/claude-code/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { watch } from './watch.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-remade-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const away = (folder: string) => fs.renameSync(folder, fs.mkdtempSync(path.join(temp, 'away-')))
const remove = (folder: string) => fs.rmSync(folder, { recursive: true })
const WAYS: [name: string, folder: string, goes: (folder: string) => void, ms: number][] = [
  ['the folder of all projects is removed, and later made again', 'projects', remove, 1_200],
  ['the folder of all projects is removed and made again at once', 'projects', remove, 0],
  ['the folder of the assistant is moved away', '', away, 0],
  ['the folder of a project is removed and made again at once', 'projects/-shop', remove, 0],
  ['the folder of a project is moved away', 'projects/-shop', away, 0],
]

// Elsewhere a folder that is watched cannot be removed, or its whole tree is watched.
for (const [name, folder, goes, ms] of WAYS)
  test(`${name}: chats are found there`, { skip: process.platform !== 'linux' }, async () => {
    const home = fs.mkdtempSync(path.join(temp, 'home-'))
    const archive = openSqliteArchive(fs.mkdtempSync(path.join(temp, 'archive-')))
    const ending = new AbortController()
    const project = path.join(home, '.claude/projects/-shop')
    const write = (): string => {
      const sessionId = randomUUID()
      const said = { type: 'user', uuid: randomUUID(), parentUuid: null, sessionId, cwd: '/shop' }
      const message = { role: 'user', content: 'Where is the invoice?' }
      const line = JSON.stringify({ ...said, timestamp: '2026-05-01T10:00:00Z', message })
      fs.mkdirSync(project, { recursive: true })
      fs.writeFileSync(path.join(project, `${sessionId}.jsonl`), `${line}\n`)
      return sessionId
    }
    const found = async (id: string) => {
      for (let waited = 0; waited < 45_000; waited += 50) {
        if (await archive.resolveChat(`claude-code:${id}`).catch(() => undefined)) return true
        await sleep(50)
      }
      return false
    }
    const first = write()
    const watching = watch({
      archive,
      sources: [claudeCode],
      machine: machineAt(home),
      signal: ending.signal,
    })
    try {
      assert.ok(await found(first), 'the first')
      await sleep(700)
      goes(path.join(home, '.claude', folder))
      if (ms > 0) await sleep(ms)
      fs.mkdirSync(project, { recursive: true })
      await sleep(1_500)
      assert.ok(await found(write()), 'one in the new folder')
    } finally {
      ending.abort()
      await watching
      await archive.close()
    }
  })
