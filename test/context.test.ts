import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { machine, root } from './run-cli.ts'

const user = machine()
after(user.remove)
fs.cpSync(path.join(root, 'sample'), user.home, { recursive: true })
const workspace = path.join(user.home, 'shop')
fs.mkdirSync(workspace)

const context = (command: string, ...args: string[]) =>
  user.run(['context', command, '-w', workspace, ...args])
async function json(command: string, ...args: string[]) {
  const { code, out } = await context(command, '--json', ...args)
  return { code, ...JSON.parse(out) }
}

test('every context command answers in words and as JSON', async () => {
  assert.match((await context('init')).out, /^Started ~[\\/]shop[\\/]context\.md\.\n$/)
  assert.equal((await json('init')).error.code, 'FILE_EXISTS')
  assert.match((await json('append', 'two', 'words')).timestamp, /^\d{4}-/)
  const piped = await user.run(['context', 'append', '-w', workspace], { input: 'from a pipe\n' })
  assert.match(piped.out, /^Added to ~[\\/]shop[\\/]context\.md at /)
  assert.equal((await context('append')).code, 2)
  assert.match((await context('read', '--last', '1')).out, /^## .* — from a pipe\n\nfrom a pipe\n$/)
  assert.equal((await json('read')).metadata.sessionCount, 2)
  assert.doesNotMatch((await context('read', '--plain')).out, /^#+ \d/m)
  assert.equal((await json('summary')).stats.sessions, 2)
  assert.match((await context('summary')).out, /2 entries\n.*two words\n.*from a pipe\n/)
  assert.equal((await json('to-memory')).applied, false)
  assert.match((await context('to-memory', '--apply')).out, /\nWritten to ~[\\/]shop[\\/]AGENTS\.md\.\n$/)
  assert.equal((await json('from-memory', '--from', 'agents-md')).entry, 'added')
  assert.equal((await context('to-memory', '--target', 'x')).code, 2)
  assert.equal((await json('archive', '--keep', '1')).archived, 1)
})

test('a secret does not get into the shared file, and that is said', async () => {
  const token = `ghp_${'Zq7Rt2Xw9Lk4Mv6Bn8Cp3Ds5Fg1Hj0AaEeYy'}`
  const file = path.join(workspace, 'context.md')
  const told = await json(
    'append',
    '--title',
    'Deploy with tulip4meadow',
    `DB_PASSWORD=tulip4meadow and ${token}`,
  )
  assert.deepEqual([told.success, told.redacted], [true, 2])
  const text = fs.readFileSync(file, 'utf8')
  assert.match(
    text,
    /— Deploy with \[redacted: secret\]\n\nDB_PASSWORD=\[redacted: password\] and \[redacted: GitHub token\]/,
  )
  assert.ok(!text.includes('tulip4meadow') && !text.includes(token))
  assert.match(
    (await context('append', `token: ${token}`)).out,
    /\n1 secret was masked: others read this file\./,
  )
  assert.equal((await json('append', 'all done: a3f9c2d1, README.md')).redacted, undefined)
  const fresh = path.join(user.home, 'fresh')
  fs.mkdirSync(fresh)
  await user.run(['context', 'init', '-w', fresh, '--description', `The key is ${token}`])
  assert.match(
    fs.readFileSync(path.join(fresh, 'context.md'), 'utf8'),
    /The key is \[redacted: GitHub token\]/,
  )
})

test('chats: exported, checked, resumed', async () => {
  assert.equal((await json('export', 'b6fb')).error.code, 'NO_SESSIONS')
  await user.run(['sync'])
  assert.equal((await json('export', 'b6fb')).entry, 'added')
  assert.match((await context('export', 'b6fb')).out, /has an entry already/)
  assert.equal((await json('check')).entries[0].state, 'unchanged')
  assert.match((await context('check')).out, /^unchanged {2}/)
  assert.match((await context('resume', 'b6fb')).out, /^claude --resume b6fb68b8-[\w-]+\n$/)
  assert.equal((await json('resume')).error.code, 'SESSION_NOT_FOUND')
})
