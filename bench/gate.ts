/**
 * What the gate adds to a call: `call` as an agent, less the capability itself
 * with the same cleaner, told in short as a model gets it. CPU time, both in turns: the machine may be busy.
 *
 *   node bench/gate.ts
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { allCapabilities, capabilities } from '../src/capabilities/index.ts'
import { outgoingFor } from '../src/service/outgoing.ts'
import { call, depsOf, type Service } from '../src/service/service.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'

const ROUNDS = 30
const BATCH = 20
const CHAT = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const CALLS: [name: string, given: Record<string, unknown>][] = [
  ['list_chats', { limit: 10 }],
  ['get_request', { sessionId: CHAT, index: 2 }],
  ['list_requests', { sessionId: CHAT }],
  ['search_conversations', { query: 'deadlock' }],
  ['gather_chats', { chatIds: [CHAT] }],
  ['usage_metrics', { group_by: 'source' }],
]

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-gate-'))
const machine = { platform: 'linux' as const, home: path.join(import.meta.dirname, '..', 'sample'), env: {} }
const archive = openSqliteArchive(folder)
try {
  await syncOnce({ archive, sources, machine })
  const service: Service = {
    archive,
    env: {},
    readable: async () => ({ sources, machine }),
    capabilities: async () => capabilities,
    syncing: () => undefined,
  }
  const caller = { kind: 'agent' as const, budget: 10_000 }
  console.log('call                   alone ms   gate ms   added ms   characters')
  for (const [name, given] of CALLS) {
    const capability = allCapabilities.find((each) => each.name === name)!
    const input = capability.input.parse(given)
    const alone = async () => {
      const { clean } = outgoingFor(service.archive, caller)
      const deps = await depsOf(service, caller, { clean, room: 9_300 })
      const answer = await capability.handle(deps, input)
      // How it is told in short is the capability's own, too.
      await capability.brief?.of(deps, input, answer, { room: capability.brief.chars, isSized: false })
    }
    const through = async () => await call(service, name, given, caller)
    const spent: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, work] of [alone, through].entries()) {
        const before = process.cpuUsage()
        for (let n = 0; n < BATCH; n++) await work()
        const { user, system } = process.cpuUsage(before)
        if (round > 3) spent[i]!.push((user + system) / 1_000 / BATCH)
      }
    }
    const [a, b] = spent.map(median) as [number, number]
    const { length } = JSON.stringify((await through()).answer)
    console.log(
      `${name.padEnd(22)} ${a.toFixed(3).padStart(8)} ${b.toFixed(3).padStart(9)} ${(b - a).toFixed(3).padStart(10)} ${String(length).padStart(12)}`,
    )
  }
} finally {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
