import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sampleMachine } from './mcp-kit.ts'

const alex = sampleMachine()

before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(() => {
  alex.remove()
})

/** The exit code, which --json does not change. */
async function codeOf(args: string[]): Promise<number | null> {
  const { code } = await alex.run(args)
  const { code: withJson, out } = await alex.run([...args, '--json'])
  assert.equal(withJson, code, args.join(' '))
  JSON.parse(out)
  return code
}

test('what is not there ends with 1, wrong use with 2', async () => {
  assert.equal(await codeOf(['resolve', 'zzzz']), 1)
  assert.equal(await codeOf(['search', '--saved', 'nothing']), 1)
  assert.equal(await codeOf(['searches', '--remove', 'nothing']), 1)
  assert.equal(await codeOf(['token', 'revoke', 'nobody']), 1)
  assert.equal(await codeOf(['mcp-servers', 'tools', 'nothing']), 1)
  assert.equal(await codeOf(['mcp-servers', 'login', 'nothing']), 1)
  assert.equal(await codeOf(['import', 'no-such-export.json']), 1)
  assert.equal(await codeOf(['export', '54b86ab5', '--out', 'chat.txt']), 2)
  assert.equal(await codeOf(['export', '54b86ab5', '--out', 'no-such-folder/chat.md']), 2)
  assert.equal(await codeOf(['ask', 'hi', '--provider', 'nobody']), 2)
  assert.equal(await codeOf(['requests', 'b6fb68b8', '--from', '99']), 2)
})

test('a narrowing option whose value is empty is refused, not left out', async () => {
  for (const option of ['source', 'workspace', 'repository', 'author', 'machine', 'since', 'until']) {
    const { code, out, err } = await alex.run(['list', `--${option}`, ''])
    assert.deepEqual([code, out], [2, ''], option)
    assert.equal(err, `error: --${option} is empty.\nGive it a value, or leave it out.\n`)
  }
  for (const option of ['role', 'model', 'scope', 'exclude'])
    assert.equal(await codeOf(['search', 'deadlock', `--${option}`, '']), 2, option)
  assert.equal(await codeOf(['list', '--title', '']), 2)
  assert.equal(await codeOf(['show', '54b86ab5', '--from', '', '--to', '3']), 2)
  assert.equal(await codeOf(['export', '--source', 'vscode', '--workspace', '']), 2)
  assert.equal(await codeOf(['metrics', '--query', '']), 2)
  assert.equal(await codeOf(['sync', '--source', '']), 2)
})

test('forget asks for as many chats as it erases, and says that there were no copies', async () => {
  const dry = await alex.run(['forget', 'b6fb68b8', '--dry-run'])
  assert.match(dry.out, /^This would erase 2 chats /)
  assert.match((await alex.run(['forget', 'b6fb68b8'])).err, /^error: This would erase 2 chats for good\./)
  const copies = await alex.run(['forget', '--copies', 'rewrite', '--yes'])
  assert.deepEqual([copies.code, copies.out], [0, 'No copy of the archive has a forgotten chat.\n'])
})

test('forget says where no chat matches, and ends with 1', async () => {
  const said = 'No chat matches: nothing was forgotten. `recollect list` shows what there is.\n'
  for (const args of [
    ['forget', '--workspace', 'shpo', '--yes'],
    ['forget', '--workspace', 'shpo'],
    ['forget', '--before', '2001-01-01', '--dry-run'],
  ]) {
    assert.equal((await alex.run(args)).out, said)
    assert.equal(await codeOf(args), 1)
  }
})

test('the chat that one is in is meant by "current" wherever a chat is named', async () => {
  const env = { RECOLLECT_SESSION: '54b86ab5' }
  for (const args of [
    ['show', 'current'],
    ['star', 'current'],
    ['tree', 'current'],
    ['forget', 'current', '--dry-run'],
    ['redact', 'current'],
  ]) {
    const { code, err } = await alex.run(args, { env })
    assert.deepEqual([code, err], [0, ''], args.join(' '))
  }
  assert.match((await alex.run(['list', '--starred'])).out, /54b86ab5/)
  const unknown = await alex.run(['star', 'current'])
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /No active dialog found/)
})

test('a range that ends before it begins is told as that', async () => {
  for (const command of ['show', 'gather']) {
    const { code, err } = await alex.run([command, '54b86ab5', '--from', '5', '--to', '2'])
    assert.equal(code, 2)
    assert.match(err, /^error: --from 5 comes after --to 2\.\nGive the smaller one/)
  }
})
