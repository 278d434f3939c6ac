import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { type Site, site } from './http-kit.ts'
import { closeAll, connected, environment, sampleMachine, until } from './mcp-kit.ts'
import { root } from './run-cli.ts'

/** Windows lets nobody put a file in the place of an open one. */
const skip = process.platform === 'win32'
/** Two seconds are promised; a busy machine is given more. */
const SOON = 20_000
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

test('a server goes on with the archive that was put in place of its own', { skip }, async () => {
  const { alex, replace, remove } = await prepared()
  const page = await site(alex, { args: ['--no-sync'] })
  sites.push(page)
  const chats = async () => Number((await page.ask('/api/v1/overview')).json?.archive?.chats)
  const before = await chats()
  assert.ok(before > 0)
  replace()
  await until('the empty archive is served', async () => (await chats()) === 0, SOON)
  remove()
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

test('an MCP server on stdio answers from the archive that is there', { skip }, async () => {
  const { alex, replace } = await prepared()
  const client = await connected(alex, 'modern', { args: ['--no-sync'] })
  const listed = async () => JSON.stringify(await client.callTool({ name: 'list_chats', arguments: {} }))
  assert.match(await listed(), /Deadlock between checkout/)
  replace()
  await until('the empty archive is used', async () => !/Deadlock between/.test(await listed()), SOON)
})

test('sync --watch says that the archive was replaced, and fills the new one', { skip }, async () => {
  const { alex, replace } = await prepared()
  const child = spawn(process.execPath, [path.join(root, 'bin', 'recollect'), 'sync', '--watch'], {
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
