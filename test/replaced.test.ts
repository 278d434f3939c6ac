import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { type Site, site } from './http-kit.ts'
import { clientOf, closeAll, environment, sampleMachine, until } from './mcp-kit.ts'
import { recollect } from './run-cli.ts'

/** Windows lets nobody put a file in the place of an open one. */
const skip = process.platform === 'win32'
/** Two seconds are promised; a busy machine is given more. */
const SOON = 180_000
const machines: ReturnType<typeof sampleMachine>[] = []
const children: ChildProcess[] = []
const sites: Site[] = []

after(async () => {
  await closeAll()
  for (const each of sites) await each.close()
  for (const child of children) child.kill('SIGKILL')
  for (const each of machines) each.remove()
})

/** A machine with an archive, and an archive of nothing to put in its place. */
async function prepared(): Promise<{
  alex: ReturnType<typeof sampleMachine>
  replace(): void
  remove(): void
}> {
  const alex = sampleMachine()
  machines.push(alex)
  assert.equal((await alex.run(['sync'])).code, 0)
  const empty = path.join(alex.home, 'empty')
  await openSqliteArchive(empty).close()
  const file = path.join(alex.archive, 'archive.db')
  return {
    alex,
    replace: () => fs.renameSync(path.join(empty, 'archive.db'), file),
    remove: () => {
      for (const end of ['', '-wal', '-shm']) fs.rmSync(file + end, { force: true })
    },
  }
}

/** How long it took, for who reads the log: two seconds are promised, on a machine that has time for it. */
function note(t: TestContext, what: string, ms: number): void {
  t.diagnostic(`${what} after ${(ms / 1000).toFixed(2)} s`)
}

test('a server goes on with the archive that was put in place of its own', { skip }, async (t) => {
  const { alex, replace, remove } = await prepared()
  const page = await site(alex, { args: ['--no-sync'] })
  sites.push(page)
  const chats = async () => Number((await page.ask('/api/v1/overview')).json?.archive?.chats)
  const before = await chats()
  assert.ok(before > 0)
  const events = await page.events('/api/v1/live')
  const isSaid = () => events.all.some(({ event, data }) => event === 'changed' && data.replaced === true)
  replace()
  note(t, 'replaced', await until('the empty archive is served', async () => (await chats()) === 0, SOON))
  await until('the page is told', isSaid, SOON)
  events.close()
  assert.match(page.err(), /was replaced by another one/)
  remove()
  note(
    t,
    'deleted',
    await until('it says so', async () => (await chats()) === 0 && /was deleted/.test(page.err()), SOON),
  )
  await alex.run(['sync'])
  await until('the next one is served', async () => (await chats()) === before, SOON)
})

test('a server that syncs fills an archive that was deleted under it', { skip }, async () => {
  const { alex, remove } = await prepared()
  const page = await site(alex)
  sites.push(page)
  const chats = async () => Number((await page.ask('/api/v1/overview')).json?.archive?.chats)
  const before = await chats()
  await until('it is in step', async () => (await chats()) >= before && before > 0, SOON)
  remove()
  await until('a new archive is there', () => fs.existsSync(path.join(alex.archive, 'archive.db')), SOON)
  await until('all is read again', async () => (await chats()) === before, SOON * 2)
})

test('an MCP server on stdio answers from the archive that is there, and says so', { skip }, async (t) => {
  const { alex, replace } = await prepared()
  const client = clientOf('modern')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [recollect, 'mcp', '--no-sync'],
    env: environment(alex),
    cwd: alex.project,
    stderr: 'pipe',
  })
  let err = ''
  transport.stderr?.on('data', (data) => {
    err += data
  })
  await client.connect(transport)
  t.after(() => client.close())
  const listed = async () => JSON.stringify(await client.callTool({ name: 'list_chats', arguments: {} }))
  assert.match(await listed(), /Deadlock between checkout/)
  replace()
  note(
    t,
    'replaced',
    await until('the empty archive is used', async () => !/Deadlock between/.test(await listed()), SOON),
  )
  await until('it says so', () => /was replaced by another one/.test(err), SOON)
})

test('an MCP server whose log nobody reads any more goes on', { skip }, async () => {
  const { alex, replace } = await prepared()
  const child = spawn(process.execPath, [recollect, 'mcp'], {
    env: environment(alex),
    cwd: alex.project,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  children.push(child)
  let out = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stdin.on('error', () => {})
  child.stdin.write(
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })}\n`,
  )
  const before = openSqliteArchive(alex.archive)
  await until('it syncs', async () => (await before.leaseHolder())?.pid === child.pid, SOON)
  await before.close()
  child.stderr.destroy()
  replace()
  const archive = openSqliteArchive(alex.archive)
  await until(
    'all is read again',
    async () => child.exitCode !== null || (await archive.chatCount()) > 0,
    SOON,
  )
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}\n`)
  await until('it answers', () => child.exitCode !== null || out.includes('"id":2'), SOON)
  assert.equal(child.exitCode, null)
  await archive.close()
})

test('an MCP server that syncs notices by itself, without being asked', { skip }, async (t) => {
  const { alex, replace } = await prepared()
  const child = spawn(process.execPath, [recollect, 'mcp'], {
    env: environment(alex),
    cwd: alex.project,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  children.push(child)
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  const archive = openSqliteArchive(alex.archive)
  child.stdin.write(
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })}\n`,
  )
  await until('it syncs', async () => (await archive.leaseHolder())?.pid === child.pid, SOON)
  replace()
  note(t, 'replaced', await until('it says so', () => /was replaced by another one/.test(err), SOON))
  await archive.close()
})

test('sync --watch says that the archive was replaced, and fills the new one', { skip }, async () => {
  const { alex, replace } = await prepared()
  const child = spawn(process.execPath, [recollect, 'sync', '--watch'], {
    env: environment(alex),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  const archive = openSqliteArchive(alex.archive)
  await until('it watches', async () => (await archive.leaseHolder())?.pid === child.pid, SOON)
  const before = await archive.chatCount()
  replace()
  await until('it says so', () => /was replaced/.test(err), SOON)
  await until('the new one is filled', async () => (await archive.chatCount()) === before, SOON * 2)
  await archive.close()
  child.kill('SIGTERM')
})
