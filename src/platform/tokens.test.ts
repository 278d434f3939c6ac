import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createToken, listTokens, revokeToken, tokenChecker } from './tokens.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-tokens-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

test('a token is known by whoever checks it, until it is revoked or expires', () => {
  const check = tokenChecker(folder)
  assert.equal(check('rcl_nothing'), undefined)
  const { token, entry } = createToken(folder, 'laptop')
  assert.equal(check(token)?.name, 'laptop')
  assert.equal(check(`${token} `), undefined)
  const past = createToken(folder, 'old', { days: -1 })
  assert.equal(check(past.token), undefined)
  revokeToken(folder, entry.id)
  assert.equal(check(token), undefined)
  assert.deepEqual(
    listTokens(folder).map(({ name }) => name),
    ['old'],
  )
})

test('a lock that a killed process left behind does not block for long', () => {
  const lock = path.join(folder, '.tokens.json.lock')
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  fs.writeFileSync(lock, JSON.stringify({ token: 'deadbeefdeadbeef', pid, host: os.hostname() }))
  createToken(folder, 'after the crash')
  assert.ok(!fs.existsSync(lock))
})

test('a file that cannot be understood lets nobody in, and says so', () => {
  fs.writeFileSync(path.join(folder, 'tokens.json'), '{"tokens":[{"hash":"short"}]}')
  assert.throws(() => listTokens(folder), { code: 'INVALID_CONFIG' })
})
