import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { syncedBy } from '../src/archive/sqlite/lease-sign.ts'
import { environment, sampleMachine, until } from './mcp-kit.ts'
import { machine, recollect, root } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

const bin = recollect
const LINK = /http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]+/
const alex = sampleMachine()
const empty = { ...machine(), project: root }
after(() => {
  alex.remove()
  empty.remove()
})

/** Runs until it has printed a link; what it printed, and how to end it. */
async function started(user: typeof alex, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: user.project,
    env: environment(user, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      out += data
    })
  await until(`a link:\n${out}`, () => LINK.test(out) && /Ctrl-C/.test(out))
  return {
    out,
    link: LINK.exec(out)![0],
    async interrupt() {
      child.kill('SIGINT')
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

/** What a browser would send after the link was opened. */
function sessionOf(opened: Response): Record<string, string> {
  return {
    cookie: String(opened.headers.get('set-cookie')).replace(/;.*/, ''),
    'x-recollect': String(opened.headers.get('location')).replace(/^.*#proof=/, ''),
  }
}

describe('npm start', () => {
  test('reads the chats, says what was found, serves the page, and ends at Ctrl-C', async () => {
    const { out, link, interrupt } = await started(alex, ['start', '--port', '0'])
    assert.match(out, /new messages in 13 chats[\s\S]*assistant +chats[\s\S]*together +13/)
    assert.match(out, /MCP http:\/\/127\.0\.0\.1:\d+\/mcp/)
    const opened = await fetch(link, { redirect: 'manual' })
    assert.equal(opened.status, 303)
    const overview = await fetch(new URL('/api/v1/overview', link), { headers: sessionOf(opened) })
    assert.equal(((await overview.json()) as { archive: { chats: number } }).archive.chats, 13)
    assert.equal(await interrupt(), 0)
  })

  test('without chats it says where it looked, names the sample, and serves all the same', async () => {
    const { out, interrupt } = await started(empty, ['start', '--port', '0'])
    assert.match(
      out,
      /No chats found on this machine yet\. `recollect sources` shows where it looks[\s\S]*npm start -- --sample[\s\S]*Open the page/,
    )
    assert.equal(await interrupt(), 0)
    const sample = await started(empty, ['start', '--sample', '--port', '0'])
    assert.match(sample.out, /the sample archive[\s\S]*together +13/)
    assert.equal(await sample.interrupt(), 0)
    assert.match((await empty.run(['--sample', 'search', 'deadlock'])).out, /Deadlock between checkout/)
  })

  test('says what is wrong with where it is to listen before it reads anything', async () => {
    const { code, out, err } = await empty.run(['start', '--no-open', '--port', 'abc'])
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /"abc" is not a whole number/)
  })

  const skip = noTerminal()
  test('on a terminal it asks, Enter gives a new link, and Ctrl-C ends it', { skip }, async () => {
    const folder = path.dirname(empty.home)
    const terminal = new Terminal([process.execPath, bin, 'start', '--port', '0', '--no-open'], {
      cwd: root,
      columns: 120,
      env: environment(empty, { CI: '1' }),
      folder,
    })
    await terminal.shows(/Open the built-in sample archive instead\? \[Y\/n\]/)
    terminal.type('\r')
    await terminal.shows(/Ctrl-C ends it/)
    const first = LINK.exec(terminal.text())![0]
    terminal.type('\r')
    await terminal.shows((text) => LINK.exec(text.replace(first, ''))?.[0] !== undefined)
    terminal.type('\u0003')
    await terminal.ended()
    assert.doesNotMatch(terminal.text(), /[Ee]rror/)
  })

  test('much is read by a process of its own, with the same words, and Ctrl-C ends both', async () => {
    const large = { ...machine(), project: root }
    try {
      putLongChat(large.home)
      const child = spawn(process.execPath, [bin, 'start', '--port', '0'], {
        cwd: root,
        env: environment(large),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.on('data', (data) => {
        said += data
      })
      const over = once(child, 'close')
      await until('another process reads', () => (syncedBy(large.archive)?.pid ?? child.pid) !== child.pid)
      child.kill('SIGTERM')
      const [code] = await over
      assert.equal(code, 130)
      assert.doesNotMatch(said, LINK)
      assert.equal(syncedBy(large.archive), undefined)
      const { out, interrupt } = await started(large, ['start', '--port', '0'])
      assert.match(out, /new messages? in 1 chat[\s\S]*together +1 +300/)
      assert.equal(await interrupt(), 0)
    } finally {
      large.remove()
    }
  })
})

/** More than a server reads in its own process: 30 MB. */
function putLongChat(home: string): void {
  const folder = path.join(home, '.claude', 'projects', '-home-me-proj')
  fs.mkdirSync(folder, { recursive: true })
  const words = 'the parser of the long chat '.repeat(3_600)
  const lines = Array.from({ length: 300 }, (_, i) => {
    const message = { role: 'user', content: `request ${i}: ${words}` }
    return JSON.stringify({ type: 'user', uuid: `u-${i}`, sessionId: 'long', timestamp: DAY, message })
  })
  fs.writeFileSync(path.join(folder, 'long.jsonl'), `${lines.join('\n')}\n`)
}

const DAY = '2026-05-04T09:00:00.000Z'

describe('recollect serve', () => {
  test('says why it cannot serve, and ends', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    try {
      const refused = await alex.run(['serve', '--no-open', '--port', port])
      assert.equal(refused.code, 3)
      assert.match(
        refused.err,
        new RegExp(`Port ${port} of 127\\.0\\.0\\.1 cannot be used: another program .*EADDRINUSE`),
      )
    } finally {
      taken.close()
    }
    for (const [args, why] of [
      [['--port', 'x'], /not a whole number/],
      [['--host', '0.0.0.0', '--port', '0'], /without TLS/],
    ] as const)
      assert.match((await alex.run(['serve', ...args])).err, why)
  })

  test('--json prints one line for programs, --no-sync reads nothing', async () => {
    const fresh = { ...machine(), project: root }
    fs.cpSync(path.join(root, 'sample'), fresh.home, { recursive: true })
    const child = spawn(process.execPath, [bin, 'serve', '--json', '--no-open', '--no-sync', '--port', '0'], {
      cwd: root,
      env: environment(fresh),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (data) => {
      out += data
    })
    await until('a line', () => out.includes('\n'))
    const { url, open, mcp } = JSON.parse(out)
    assert.ok(open.startsWith(`${url}/open?code=`))
    assert.equal(mcp, `${url}/mcp`)
    const headers = sessionOf(await fetch(open, { redirect: 'manual' }))
    const overview = (await (await fetch(`${url}/api/v1/overview`, { headers })).json()) as {
      archive: { chats: number }
      sync: unknown
    }
    assert.deepEqual([overview.archive.chats, overview.sync], [0, { state: 'off' }])
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    fresh.remove()
  })
})
