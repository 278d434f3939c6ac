import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { vscode } from '../sources/vscode/index.ts'
import { watch } from './watch.ts'

const ID = '30e7ff0c-c6dd-42b4-9eb3-25f7c12c55b8'
const fixture = path.join(import.meta.dirname, '../sources/vscode/fixtures/User/workspaceStorage/69ebdf57')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-covered-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

test('watching: once VS Code has written a session, its transcript no longer counts', async () => {
  const storage = path.join(temp, '.config', 'Code', 'User', 'workspaceStorage', 'ws')
  const put = (file: string) => {
    fs.mkdirSync(path.dirname(path.join(storage, file)), { recursive: true })
    fs.copyFileSync(path.join(fixture, file), path.join(storage, file))
  }
  const archive = openSqliteArchive(path.join(temp, 'archive'))
  const ending = new AbortController()
  const machine = { platform: 'linux' as const, home: temp, env: {} }
  fs.mkdirSync(path.join(storage, 'chatSessions'), { recursive: true })
  put(`GitHub.copilot-chat/transcripts/${ID}.jsonl`)
  const watching = watch({ archive, sources: [vscode], machine, signal: ending.signal })
  const format = async (wanted: RegExp) => {
    const until = Date.now() + 40_000
    for (;;) {
      const chat = await archive.resolveChat(ID).catch(() => undefined)
      if (chat?.format && wanted.test(chat.format)) return chat
      assert.ok(Date.now() < until, `${chat?.format} is not ${wanted}`)
      await sleep(20)
    }
  }
  try {
    await format(/^transcript/)
    put(`chatSessions/${ID}.jsonl`)
    const chat = await format(/^log/)
    const shown = await archive.messages(chat)
    assert.ok(chat.requestCount > 0)
    assert.ok(
      shown.every(({ id }) => /^(request|response)_/.test(id)),
      'only what the session says',
    )
  } finally {
    ending.abort()
    await watching
    await archive.close()
  }
})
