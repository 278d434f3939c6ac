import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { canWrite } from '../src/archive/sqlite/read-only.ts'
import { type Answer, clientOf, environment, sampleMachine, until } from './mcp-kit.ts'
import { type Outcome, recollect, root, runCommand } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

/**
 * Read-only for everybody: a bind mount in a name space of its own, where the tests may make one. Else, unless the
 * tests run as root, whom no permissions bind, permissions.
 */
const MOUNTS = spawnSync('unshare', ['-m', 'true']).status === 0 && process.getuid?.() === 0
const PERMISSIONS = process.platform !== 'win32' && process.getuid?.() !== 0
const alex = sampleMachine()
const command = recollect
const skip = !MOUNTS && !PERMISSIONS && 'nothing can be made read-only here'

before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
  if (PERMISSIONS) {
    fs.chmodSync(path.join(alex.archive, 'archive.db'), 0o400)
    fs.chmodSync(alex.archive, 0o500)
  }
})
after(() => {
  if (PERMISSIONS) fs.chmodSync(alex.archive, 0o700)
  alex.remove()
})

/** A command line that runs where the archive is read-only. */
function there(args: string[]): [string, string[]] {
  if (PERMISSIONS) return [process.execPath, [command, ...args]]
  const mount = `mount --bind "$A" "$A" && mount -o remount,ro,bind "$A" && exec "$@"`
  return ['unshare', ['-m', 'bash', '-c', mount, 'bash', process.execPath, command, ...args]]
}

const env = () => ({ ...environment(alex), A: alex.archive })
const run = async (...args: string[]): Promise<Outcome> => {
  const [program, given] = there(args)
  return await runCommand(program, given, env(), '', alex.project)
}

test('a read-only archive is searched and read, and what writes says why it cannot', { skip }, async () => {
  const before = fs.readdirSync(alex.archive)
  const listed = await run('list', '--json', '--limit', '3')
  assert.equal(listed.code, 0, listed.err)
  const [first] = JSON.parse(listed.out).chats
  assert.ok(first)
  for (const args of [
    ['search', 'deadlock'],
    ['show', first.chatId, '--no-pager'],
    ['export', first.chatId, '--format', 'markdown'],
    ['metrics'],
    ['tree', first.chatId],
    ['doctor', '--deep'],
    ['status'],
    ['sources'],
  ]) {
    const { code, out, err } = await run(...args)
    assert.equal(code, 0, `${args.join(' ')}: ${err}`)
    assert.ok(out.length > 20, args.join(' '))
    assert.match(err, /read-only/, args.join(' '))
  }
  assert.match((await run('status')).out, /read-only/)
  for (const args of [
    ['sync'],
    ['forget', first.chatId, '--yes'],
    ['repair'],
    ['restore'],
    ['embed', '--erase'],
  ]) {
    const { code, out, err } = await run(...args)
    if (args[0] === 'repair') assert.match(out + err, /nothing to repair|read-only/)
    else {
      assert.notEqual(code, 0, `${args.join(' ')}: ${out}`)
      assert.match(err, /read-only|no backup/i, args.join(' '))
    }
  }
  const elsewhere = path.join(alex.home, 'backups')
  const backup = await run('backup', elsewhere)
  assert.equal(backup.code, 0, backup.err)
  assert.ok(fs.readdirSync(elsewhere).length > 0)
  assert.deepEqual(fs.readdirSync(alex.archive), before)
})

test('an MCP server answers from a read-only archive', { skip }, async () => {
  const [program, given] = there(['mcp'])
  const client = clientOf('modern')
  try {
    await client.connect(
      new StdioClientTransport({
        command: program,
        args: given,
        env: env(),
        cwd: alex.project,
        stderr: 'ignore',
      }),
    )
    const answer = JSON.stringify(
      await client.callTool({ name: 'search_conversations', arguments: { query: 'deadlock checkout' } }),
    )
    assert.match(answer, /Deadlock between checkout/)
  } finally {
    await client.close()
  }
})

test('the page is served from a read-only archive, and says so', { skip }, async () => {
  const [program, given] = there(['serve', '--json', '--no-open', '--port', '0'])
  const child = spawn(program, given, { env: env(), stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let [out, err] = ['', '']
    child.stdout.on('data', (data) => {
      out += data
    })
    child.stderr.on('data', (data) => {
      err += data
    })
    await until('it serves', () => out.includes('\n') || child.exitCode !== null)
    assert.ok(out, err)
    const { url, open } = JSON.parse(out)
    const opened = await fetch(open, { redirect: 'manual' })
    const cookie = String(opened.headers.get('set-cookie')).replace(/;.*/, '')
    const proof = String(opened.headers.get('location')).replace(/^.*#proof=/, '')
    const headers = {
      cookie,
      'x-recollect': proof,
      origin: new URL(url).origin,
      'sec-fetch-site': 'same-origin',
    }
    const overview = async () => (await (await fetch(`${url}/api/v1/overview`, { headers })).json()) as Answer
    assert.ok((await overview()).archive.chats > 0)
    await until('it says so', async () => /read-only/.test(JSON.stringify((await overview()).sync)))
  } finally {
    child.kill('SIGTERM')
  }
})

test('the browser in the terminal reads a read-only archive, and says so', {
  skip: skip || noTerminal() || false,
}, async (t) => {
  const [program, given] = there(['browse'])
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-read-only-'))
  const terminal = new Terminal([program, ...given], { cwd: alex.project, folder, env: env(), columns: 200 })
  t.after(() => {
    terminal.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  await terminal.shows(/Deadlock between checkout/)
  await terminal.shows(/read-only/)
  terminal.type('\r')
  await terminal.shows(/claude-code · .* · 14 messages/)
})

test('what is read-only is known by what the system says of the file and its folder', () => {
  const refusing = (refused: string, code: string) => (file: string) => {
    if (file === refused) throw Object.assign(new Error(code), { code })
  }
  for (const code of ['EROFS', 'EACCES', 'EPERM'])
    for (const refused of ['/a', '/a/archive.db'])
      assert.equal(canWrite('/a', '/a/archive.db', refusing(refused, code)), false)
  assert.equal(canWrite('/a', '/a/archive.db', refusing('/a', 'ENOENT')), true)
  assert.equal(
    canWrite('/a', '/a/archive.db', () => {}),
    true,
  )
})

test('what another process left in the write-ahead log is read too', { skip: !MOUNTS }, async () => {
  const folder = path.join(alex.home, 'with-log')
  fs.mkdirSync(folder)
  const archive = openSqliteArchive(path.join(folder, 'a'))
  await archive.takeLease('test')
  fs.mkdirSync(path.join(folder, 'copy'))
  for (const end of ['', '-wal'])
    fs.copyFileSync(path.join(folder, 'a', `archive.db${end}`), path.join(folder, 'copy', `archive.db${end}`))
  await archive.close()
  const code = `import { openReading } from ${JSON.stringify(path.join(root, 'src/archive/sqlite/read-only.ts'))}
    const { db, close } = openReading(${JSON.stringify(path.join(folder, 'copy', 'archive.db'))})
    console.log(db.prepare('SELECT purpose FROM lease').get().purpose); db.close(); close()`
  const mount = `mount --bind "$A" "$A" && mount -o remount,ro,bind "$A" && exec "$@"`
  const args = ['-m', 'bash', '-c', mount, 'bash', process.execPath, '--input-type=module', '-e', code]
  const { out, err } = await runCommand('unshare', args, { A: path.join(folder, 'copy') })
  assert.equal(out.trim(), 'test', err)
})
