import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { after, before, test } from 'node:test'
import { machine, root, runCommand } from './run-cli.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-package-'))
const app = path.join(temp, 'app')
const user = machine()
after(() => {
  fs.rmSync(temp, { recursive: true, force: true })
  user.remove()
})

const npm = (args: string[], cwd: string) =>
  runCommand('npm', args, { HOME: os.homedir(), npm_config_update_notifier: 'false' }, '', cwd)
let packed: { files: { path: string }[]; size: number }

before(async () => {
  const { out, code, err } = await npm(['pack', '--json', '--pack-destination', temp], root)
  assert.equal(code, 0, err)
  packed = JSON.parse(out.slice(out.indexOf('[')))[0]
  fs.mkdirSync(app)
  fs.writeFileSync(path.join(app, 'package.json'), '{"private":true}')
  const tarball = path.join(temp, fs.readdirSync(temp).find((name) => name.endsWith('.tgz'))!)
  const installed = await npm(['install', '--offline', '--no-audit', '--no-fund', tarball], app)
  assert.equal(installed.code, 0, installed.err)
})

const command = path.join(app, 'node_modules', 'recollect', 'bin', 'recollect')

test('the package holds the bundle and the sample, and nothing that is only for developers', () => {
  const files = packed.files.map((file) => file.path)
  for (const needed of [
    'bin/recollect',
    'dist/recollect.cjs',
    'dist/meaning.bin',
    'dist/lexicon.bin',
    'dist/reader-worker.cjs',
    'dist/regex-worker.cjs',
    'dist/aside-worker.cjs',
    'dist/page/index.html',
    'dist/recollect.1',
    'dist/THIRD-PARTY-LICENCES.txt',
    'README.md',
    'LICENSE',
  ]) {
    assert.ok(files.includes(needed), `${needed} is missing`)
  }
  assert.ok(files.some((file) => file.startsWith('sample/.claude/')))
  assert.ok(files.includes('docs/mcp.md'), 'pages that the help names')
  assert.deepEqual(
    files.filter((file) => /^(src|test|bench|scripts|docs\/.*)\//.test(file)),
    [],
  )
  // The code and the page with what draws diagrams and formulas, the table of word meanings, and the lexicon.
  assert.ok(packed.size < 2_300_000 + 2_750_000 + 2_000_000, `${packed.size} bytes`)
})

test('it installs alone, without dependencies', () => {
  assert.deepEqual(
    fs.readdirSync(path.join(app, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['recollect'],
  )
})

test('installed, it syncs, finds and shows', async () => {
  fs.cpSync(path.join(root, 'sample'), user.home, { recursive: true })
  const synced = await user.run(['sync'], { command })
  assert.match(synced.out, /new messages in 13 chats/)
  assert.equal(synced.err, '')
  assert.match((await user.run(['search', 'deadlock'], { command })).out, /Deadlock between checkout/)
  assert.match((await user.run(['--sample', 'list'], { command })).out, /Token bucket/)
  assert.equal(
    (await user.run(['--version'], { command })).out.trim(),
    JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version,
  )
})

test('installed, it serves the page and sets up a client', async () => {
  const set = await user.run(['setup', 'codex', '--yes'], { command })
  assert.equal(set.code, 0, set.err)
  assert.match(fs.readFileSync(path.join(user.home, '.codex', 'config.toml'), 'utf8'), /recollect.*mcp/s)
  const server = spawn(process.execPath, [command, 'serve', '--no-open', '--port', '0', '--json'], {
    env: { PATH: process.env.PATH, HOME: user.home, USERPROFILE: user.home, RECOLLECT_HOME: user.archive },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [line] = await once(readline.createInterface({ input: server.stdout }), 'line')
    const opened = await fetch(JSON.parse(line).open, { redirect: 'manual' })
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    const page = await fetch(JSON.parse(line).url, { headers: { cookie } })
    assert.match(await page.text(), /<div id="page">/)
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})

/** What was compiled of a program that begins with some file, as a run with this folder for temporary files kept it. */
function kept(folder: string, beginning: string): { folder: string; file: string; files: string[] } {
  const own = path.join(folder, fs.readdirSync(folder)[0]!)
  for (const name of fs.readdirSync(own)) {
    const file = path.join(own, name)
    const [heading] = fs.readFileSync(file, 'latin1').split('\n', 1)
    const files: string[] = JSON.parse(heading!).files.map(([each]: [string]) => each)
    if (files[0]!.startsWith(beginning)) return { folder: own, file, files }
  }
  throw new Error(`nothing of ${beginning} is kept`)
}

function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(temp, 'kept-'))
}

test('installed, a server answers its first search with few files loaded', async () => {
  const folder = temporaryFolder()
  const server = spawn(process.execPath, [command, 'mcp'], {
    env: {
      PATH: process.env.PATH,
      HOME: user.home,
      USERPROFILE: user.home,
      RECOLLECT_HOME: user.archive,
      TMPDIR: folder,
      TEMP: folder,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ask = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answers = readline.createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  try {
    const clientInfo = { name: 'test', version: '1' }
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    ask({ id: 1, method: 'initialize', params: hello })
    await answers.next()
    ask({ method: 'notifications/initialized' })
    const params = { name: 'search_conversations', arguments: { query: 'deadlock' } }
    ask({ id: 2, method: 'tools/call', params })
    assert.match((await answers.next()).value ?? '', /Deadlock between checkout/)
  } finally {
    server.stdin.end()
    await once(server, 'exit')
  }
  const { files } = kept(folder, 'mcp-server-')
  // Some 25, and 10 for what comes after the answer: see scripts/stage-chunks.ts.
  assert.ok(files.length > 5 && files.length < 45, `${files.length} files: ${files.join(' ')}`)
})

test("installed, what is compiled is kept for the next run, in a folder that is the user's alone", async () => {
  const folder = temporaryFolder()
  const list = async () => {
    const { out, err } = await user.run(['list'], { command, env: { TMPDIR: folder, TEMP: folder } })
    assert.match(out, /Deadlock between checkout/)
    assert.equal(err, '')
  }
  await list()
  const { file, folder: own } = kept(folder, 'recollect-')
  const written = () => fs.statSync(file).mtimeMs
  const first = written()
  await list()
  assert.equal(written(), first, 'V8 takes all of it: nothing is kept again')
  // A part of it is lost.
  const bytes = fs.readFileSync(file)
  fs.writeFileSync(file, bytes.fill(0, bytes.length - 2_000))
  fs.utimesSync(file, 1, 1)
  await list()
  assert.ok(written() >= first, 'it is made anew')
  fs.writeFileSync(file, 'no heading')
  await list()
  assert.ok(fs.statSync(file).size > 100_000)
  if (process.platform === 'win32') return
  assert.deepEqual([fs.statSync(own).mode & 0o777, fs.statSync(file).mode & 0o777], [0o700, 0o600])
  // Code that somebody else may have put there is neither taken nor replaced.
  fs.chmodSync(own, 0o777)
  fs.utimesSync(file, 1, 1)
  await list()
  assert.equal(written(), 1_000)
})

test('npx finds the command', async () => {
  const { out, code } = await runCommand(
    'npx',
    ['--offline', 'recollect', '--version'],
    { HOME: user.home },
    '',
    app,
  )
  assert.equal(code, 0)
  assert.match(out, /^\d+\.\d+\.\d+\n$/)
})
