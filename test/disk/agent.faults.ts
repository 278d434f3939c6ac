import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { createAgent } from '../../src/agent/index.ts'
import { eventsIn } from '../../src/agent/runs.ts'
import { syncRuns } from '../../src/agent/sync-runs.ts'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { readConfig } from '../../src/platform/config.ts'
import { sources } from '../../src/sources/index.ts'
import { type ScriptedModel, startScriptedModel } from '../real/scripted-model.ts'
import { sweepDisk } from './sweep.ts'

let model: ScriptedModel
before(async () => {
  model = await startScriptedModel([
    { when: 'heron', turns: [{ text: 'The heron sleeps on one leg.' }] },
    {
      when: 'plover',
      turns: [
        { text: 'Let me look.', calls: [{ tool: 'list_chats', args: { limit: 1 } }] },
        { text: 'The plover is not here.' },
      ],
    },
  ])
})
after(() => model.close())

async function within<T>(
  folder: string,
  work: (agent: ReturnType<typeof createAgent>) => Promise<T>,
): Promise<T> {
  const archive = openSqliteArchive(folder)
  const machine = { platform: process.platform, home: folder, env: { RECOLLECT_HOME: folder } }
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url }
  const config = readConfig(folder)
  const agent = createAgent({ archive, sources, machine, folder, config, env, cwd: folder })
  try {
    return await work(agent)
  } finally {
    await agent.close()
    await archive.close()
  }
}

const run = (folder: string, message: string) =>
  within(folder, (agent) => agent.run({ message }, () => {}, new AbortController().signal))

test("an agent's run", async (t) => {
  await sweepDisk(
    t,
    async (folder) => {
      fs.writeFileSync(path.join(folder, 'config.json'), '{"agent":{"provider":"anthropic"}}')
      fs.writeFileSync(path.join(folder, 'mcp-servers.json'), '{"servers":[]}')
      const { sessionId } = await run(folder, 'the heron')
      return { sessionId, runs: path.join(folder, 'runs') }
    },
    async (_, folder) => await run(folder, 'the plover'),
    async ({ sessionId, runs }, folder, { error, what, mayLeave }) => {
      const names = () => fs.readdirSync(runs).filter((name) => !name.endsWith('.jsonl'))
      if (!mayLeave) assert.deepEqual(names(), [], what)
      const db = new DatabaseSync(path.join(folder, 'archive.db'))
      // The process that failed has ended, and its lease with it.
      db.exec('DELETE FROM lease')
      db.close()
      // What was written down is whole, line by line, and can be gone on with.
      const others = fs
        .readdirSync(runs)
        .filter((name) => name.endsWith('.jsonl') && !name.startsWith(sessionId))
      if (!error) assert.equal(others.length, 1, what)
      const said = others.flatMap((name) => eventsIn(fs.readFileSync(path.join(runs, name), 'utf8')))
      const archive = openSqliteArchive(folder)
      try {
        await syncRuns(archive, { platform: process.platform, home: folder, env: { RECOLLECT_HOME: folder } })
        assert.deepEqual(await archive.check({ deep: true }), [], what)
        const texts = async (id: string) =>
          (await archive.messages(await archive.resolveChat(id))).map(({ text }) => text).join('\n')
        assert.match(await texts(sessionId), /the heron[\s\S]*sleeps on one leg/, what)
        for (const event of said)
          if (event.type === 'request') {
            const id = others[0]!.replace('.jsonl', '')
            assert.match(await texts(id), /the plover/, what)
            if (!error) assert.match(await texts(id), /The plover is not here/, what)
          }
      } finally {
        await archive.close()
      }
      if (others.length > 0 && said.some(({ type }) => type === 'request')) {
        const id = others[0]!.replace('.jsonl', '')
        const again = await within(folder, (agent) =>
          agent.run({ message: 'and the heron?', sessionId: id }, () => {}, new AbortController().signal),
        )
        assert.equal(again.message, 'The heron sleeps on one leg.', what)
      } else assert.equal((await run(folder, 'the heron')).status, 'done', what)
      assert.deepEqual(names(), [], what)
      const known =
        /^(?:archive\.db|config\.json|mcp-servers\.json|runs|spending|model-limits\.json|prices.*|approvals.*)$/
      assert.deepEqual(
        fs.readdirSync(folder).filter((name) => !known.test(name)),
        [],
        what,
      )
    },
  )
})
