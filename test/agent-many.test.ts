import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { runIds } from '../src/agent/runs.ts'
import { agentBench, isAlive, testServer } from './agent-kit.ts'
import { until } from './mcp-kit.ts'

const RUNS = 200

test(`${RUNS} runs at the same time leave nothing behind`, async () => {
  const warnings: string[] = []
  // Node 22 calls its SQLite experimental, which says nothing of us.
  const hear = (warning: Error) => warning.name !== 'ExperimentalWarning' && warnings.push(String(warning))
  process.on('warning', hear)
  after(() => process.off('warning', hear))
  const bench = await agentBench({
    scripts: [
      {
        when: 'work',
        turns: [
          {
            calls: [
              { tool: 'wait', args: { ms: 5, say: 'rested' } },
              { tool: 'list_chats', args: { limit: 1 } },
            ],
          },
          { text: 'Worked.' },
        ],
      },
    ],
    servers: [],
    config: { approvals: { test: 'always' } },
  })
  const pids = path.join(bench.folder, 'pids')
  fs.writeFileSync(
    path.join(bench.folder, 'mcp-servers.json'),
    JSON.stringify({ servers: [testServer('test', { PID_FILE: pids })] }),
  )
  const { signal } = new AbortController()
  await bench.run('work', signal)
  const before = resources()

  const results = await Promise.all(Array.from({ length: RUNS }, (_, n) => bench.run(`work ${n}`, signal)))
  for (const { message, toolResults } of results) {
    assert.equal(message, 'Worked.')
    assert.deepEqual(
      toolResults.map(({ success }) => success),
      [true, true],
    )
  }
  assert.equal(new Set(results.map(({ sessionId }) => sessionId)).size, RUNS)
  assert.equal(runIds(bench.folder).length, RUNS + 1)
  assert.deepEqual(
    fs.readdirSync(path.join(bench.folder, 'runs')).filter((name) => name.endsWith('.lock')),
    [],
  )
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  assert.deepEqual(warnings, [])
  await until('connections and timers are gone', () => {
    const now = resources()
    return now.timers <= before.timers && now.sockets <= before.sockets && now.children === before.children
  })
  assert.equal(openFiles(bench.folder), 0, 'every file of a run is closed')

  const server = Number(fs.readFileSync(pids, 'utf8'))
  assert.ok(isAlive(server), 'one server served them all')
  await bench.close()
  await until('the server has ended', () => !isAlive(server))
})

function resources(): { timers: number; sockets: number; children: number } {
  const all = process.getActiveResourcesInfo()
  const count = (name: string) => all.filter((each) => each === name).length
  return { timers: count('Timeout'), sockets: count('TCPSocketWrap'), children: count('ProcessWrap') }
}

/** Where the system tells: which files of a folder's runs this process has open. */
function openFiles(folder: string): number {
  if (process.platform !== 'linux') return 0
  return fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(path.join(folder, 'runs'))
    } catch {
      return false
    }
  }).length
}
