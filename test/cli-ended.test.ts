import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment, machine, recollect, root } from './run-cli.ts'

/** Commands that are stopped, that nobody listens to, and that run beside each other. */

const alex = machine()
before(async () => {
  fs.cpSync(path.join(root, 'sample'), alex.home, { recursive: true })
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(() => alex.remove())

async function json(args: string[], on = alex) {
  const { code, out, err } = await on.run([...args, '--json'])
  assert.equal(err, '')
  return { code, value: JSON.parse(out) }
}

test('a reader that goes away is no error', async () => {
  const child = spawn(process.execPath, [recollect, 'list', '--limit', '100', '--json'], {
    cwd: root,
    env: { ...bareEnvironment(), HOME: alex.home, RECOLLECT_HOME: alex.archive },
  })
  // Before it says anything.
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  await once(child, 'close')
  assert.equal(err, '')
})

test('an export that is stopped leaves nothing behind', { skip: process.platform === 'win32' }, async () => {
  const many = machine()
  const projects = path.join(many.home, '.claude', 'projects', '-home-alex-many')
  fs.mkdirSync(projects, { recursive: true })
  const [sample = ''] = fs.globSync('sample/.claude/projects/*/b0f81901-*.jsonl', { cwd: root })
  const text = fs.readFileSync(path.join(root, sample), 'utf8')
  for (let number = 0; number < 300; number++) {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    fs.writeFileSync(
      path.join(projects, `${id}.jsonl`),
      text.replaceAll('b0f81901-0671-453e-a777-b83030ce197e', id),
    )
  }
  assert.equal((await many.run(['sync'])).code, 0)
  const out = path.join(many.home, 'all.md')
  const isBegun = () => fs.readdirSync(many.home).some((name) => name.startsWith('.all.md.'))
  const stopped = async (args: string[]) => {
    const child = spawn(
      process.execPath,
      [recollect, 'export', '--source', 'claude-code', '--out', out, '--force', ...args],
      { env: { ...bareEnvironment(), HOME: many.home, RECOLLECT_HOME: many.archive } },
    )
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        said += data
      })
    const closed = once(child, 'close')
    while (!isBegun() && child.exitCode === null) await sleep(1)
    child.kill('SIGINT')
    const [code] = await closed
    return { code, said }
  }
  for (const args of [[], ['--json']]) {
    let { code, said } = await stopped(args)
    // On a busy machine it may be done before it is stopped.
    for (let times = 0; code === 0 && times < 20; times++) {
      fs.rmSync(out)
      ;({ code, said } = await stopped(args))
    }
    assert.deepEqual([code, fs.readdirSync(many.home)], [130, ['.claude']])
    assert.equal(
      said,
      args.length > 0 ? '{"interrupted":true}\n' : 'Stopped. Nothing of this export was kept.\n',
    )
  }
  many.remove()
})

test('an error that nobody reads ends with the same code', async () => {
  const child = spawn(process.execPath, [recollect, 'sync', '--source', 'nobody'], {
    cwd: root,
    env: { ...bareEnvironment(), HOME: alex.home, RECOLLECT_HOME: alex.archive },
  })
  child.stderr.destroy()
  const [code] = await once(child, 'close')
  assert.equal(code, 2)
})

test('sync --watch takes in new lines, ends on Ctrl-C, and its place is taken when it is killed', async () => {
  const fresh = machine()
  fs.cpSync(path.join(root, 'sample'), fresh.home, { recursive: true })
  const watcher = () => {
    const child = spawn(process.execPath, [recollect, 'sync', '--watch', '--json'], {
      cwd: root,
      env: { ...bareEnvironment(), HOME: fresh.home, RECOLLECT_HOME: fresh.archive },
    })
    const lines: { added: number }[] = []
    child.stdout.on('data', (data) =>
      lines.push(
        ...String(data)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    )
    return { child, lines }
  }
  const until = async (holds: () => boolean) => {
    for (let n = 0; !holds(); n++) {
      assert.ok(n < 4_000, 'waited for too long')
      await sleep(25)
    }
  }
  const first = watcher()
  await until(() => first.lines.length > 0)
  const second = watcher()
  await sleep(300)
  assert.deepEqual(second.lines, [])
  assert.ok('watchedBy' in (await json(['sync'], fresh)).value)

  const file = path.join(fresh.home, '.claude', 'projects', '-home-alex-shop', 'deadbeef-0000.jsonl')
  const record = {
    type: 'user',
    uuid: 'w1',
    sessionId: 'deadbeef-0000',
    timestamp: '2026-11-01T10:00:00Z',
    cwd: '/home/alex/shop',
    message: { role: 'user', content: 'platypus one' },
  }
  fs.writeFileSync(file, `${JSON.stringify(record)}\n`)
  await until(() => first.lines.some((line) => line.added === 1))
  assert.equal((await json(['search', 'platypus'], fresh)).value.results[0].chatId, 'deadbeef-0000')

  first.child.kill('SIGKILL')
  await until(() => second.lines.length > 0)
  fs.appendFileSync(
    file,
    `${JSON.stringify({ ...record, uuid: 'w2', message: { role: 'user', content: 'platypus two' } })}\n`,
  )
  await until(() => second.lines.some((line) => line.added === 1))

  second.child.kill('SIGINT')
  const [code] = await once(second.child, 'exit')
  assert.equal(code, 0)
  fresh.remove()
})

test('many processes may start at once on a new machine', async () => {
  const fresh = machine()
  fs.cpSync(path.join(root, 'sample'), fresh.home, { recursive: true })
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => fresh.run(['sync', '--json'])))
  assert.deepEqual(
    outcomes.map(({ code, err }) => [code, err]),
    Array(6).fill([0, '']),
  )
  assert.equal(
    outcomes.reduce((sum, { out }) => sum + JSON.parse(out).added, 0),
    (await json(['status'], fresh)).value.messages,
  )
  fresh.remove()
})
