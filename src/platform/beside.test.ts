import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-beside-'))
after(() => fs.rmSync(temp, { recursive: true }))

const here = (name: string) => pathToFileURL(path.join(import.meta.dirname, name)).href
/** A helper: tells which process it is, a while later. */
const helper = path.join(temp, 'helper.mjs')
fs.writeFileSync(
  helper,
  `import { onTold, tell } from '${here('beside-line.ts')}'
   onTold(({ work }) => {
     if (work === 'fill') for (const all = []; ; ) all.push(new Array(1e5).fill(0.5))
     if (work === 'signal') process.kill(process.pid, 'SIGINT')
     setTimeout(() => tell({ pid: process.pid }), 100)
   })`,
)

interface Server {
  child: ChildProcess
  /** The lines that it has said so far. */
  said: string[]
  told: string[]
  line(): Promise<string>
  over: Promise<unknown>
}

/** A server that starts helpers and says what it hears. */
function server(work: string, env: Record<string, string> = {}): Server {
  const file = path.join(temp, `server-${fs.readdirSync(temp).length}.mjs`)
  fs.writeFileSync(
    file,
    `import { startBeside } from '${here('beside.ts')}'
     function helper(options) {
       const one = startBeside(new URL('${pathToFileURL(helper)}'), {
         heard: ({ pid }) => { console.log(pid); one.unref() },
         over: (why, isFull) => console.log(isFull ? 'full' : why.message),
       }, { flags: [], ...options })
       return one
     }
     ${work}`,
  )
  const child = spawn(process.execPath, ['--no-warnings', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, told]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')))
  child.stderr.setEncoding('utf8').on('data', (text: string) => told.push(...text.trim().split('\n')))
  const over = once(child, 'close')
  const line = async () => {
    while (said.length === 0) await sleep(10)
    return said[0]!
  }
  return { child, said, told, line, over }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a server waits for a helper that works, and not for one that is idle, which ends with it', async () => {
  const { child, said, told, over } = server('helper().send({})')
  await over
  assert.deepEqual([said.length, told], [1, []])
  assert.notEqual(Number(said[0]), child.pid)
  while (isThere(Number(said[0]))) await sleep(10)
})

test('a helper ends when its server is killed', async () => {
  const { child, line, over } = server('helper().send({}); setInterval(() => {}, 1000)')
  const pid = Number(await line())
  assert.ok(isThere(pid))
  child.kill('SIGKILL')
  await over
  while (isThere(pid)) await sleep(10)
})

test('the end of a helper is waited for, also where it has to be made', async () => {
  // Ours does not end when it is told to, and nothing else keeps the server.
  const { said, over } = server(`
    const { AsideHelper } = await import('${here('../service/aside-helper.ts')}')
    const one = new AsideHelper(1000, { code: new URL('${pathToFileURL(helper)}') })
    one.hold()()
    await one.end()
    console.log('over')`)
  await over
  assert.deepEqual(said, ['over'])
})

test('what a terminal tells everyone does not end a helper', {
  skip: os.platform() === 'win32',
}, async () => {
  const { said, over } = server("helper().send({ work: 'signal' })")
  await over
  assert.match(said.join(), /^\d+$/)
})

test('a helper without memory says so', async () => {
  const { said, over } = server("helper().send({ work: 'fill' })", {
    NODE_OPTIONS: '--max-old-space-size=40',
  })
  await over
  assert.deepEqual(said, ['full'])
})

test('where no process can be started there are threads, and one line that says so', async () => {
  const { child, said, told, over } = server(
    "process.execPath = '/nowhere/node'; helper().send({}); helper().send({})",
  )
  await over
  assert.deepEqual(said, [`${child.pid}`, `${child.pid}`])
  assert.equal(told.length, 1)
  assert.match(told[0]!, /threads.*ENOENT/)
})

test('a thread that stands in for a process runs code of its own', async () => {
  const thread = path.join(temp, 'thread.mjs')
  fs.writeFileSync(
    thread,
    `import { onTold, tell } from '${here('beside-line.ts')}'; onTold(() => tell({ pid: 'a thread' }))`,
  )
  const options = `{ threadCode: new URL('${pathToFileURL(thread)}') }`
  const { line, over } = server(`helper(${options}).send({})`)
  assert.match(await line(), /^\d+$/)
  const other = server(`process.execPath = '/nowhere/node'; helper(${options}).send({})`)
  assert.equal(await other.line(), 'a thread')
  await Promise.all([over, other.over])
})
