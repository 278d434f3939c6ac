import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { ChatCitation } from '../src/recall/citations.ts'
import { APIS, type Api } from './agent-kit.ts'
import { sampleMachine } from './mcp-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'
import { recollect } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

const CHAT = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const at = (place: string) => `context://sessions/${place}`
const ANSWER = `Production logged "deadlock detected" about ten times an hour ${at(`${CHAT}#m0`)}.
You wrapped checkout “in \`retryOnDeadlock\` … short random pause” (${at(`${CHAT.slice(0, 8)}#m10`)}).
[The report](${at(`claude-code:${CHAT}`)}) says "Where does it come from?" too.
You "gave up and bought a bigger server" ${at(`${CHAT}#m4`)}; see ${at('deadbeef-0000-4000-8000-000000000000#m3')}
and ${at(`${CHAT}#m999`)}.`

const alex = sampleMachine()
let model: ScriptedModel
let env: Record<string, string>
before(async () => {
  model = await startScriptedModel([
    {
      when: 'deadlock',
      turns: [{ calls: [{ tool: 'gather_chats', args: { chatIds: [CHAT] } }] }, { text: ANSWER }],
    },
  ])
  assert.equal((await alex.run(['sync'])).code, 0)
  env = { ...APIS.anthropic(model.url).env, RECOLLECT_KEYCHAIN: 'off' }
})
after(async () => {
  await model.close()
  alex.remove()
})

for (const api of Object.keys(APIS) as Api[]) {
  test(`${api}: what an answer cites exists and says so, or is marked`, async () => {
    const reached = APIS[api](model.url)
    fs.writeFileSync(
      path.join(alex.archive, 'config.json'),
      JSON.stringify({ agent: { provider: reached.provider, providers: reached.providers } }),
    )
    const asked = await alex.run(['ask', '--json', 'what about the deadlock?'], { env: reached.env })
    const { message, citations } = JSON.parse(asked.out) as { message: string; citations: ChatCitation[] }
    assert.deepEqual(
      citations.map(({ verified, index, problem }) => problem ?? [verified, index]),
      [
        [true, 0],
        [true, 10],
        'The chat does not say so in these words.',
        'Message 4 does not say so in these words.',
        'There is no such chat.',
        'The chat has no message 999.',
      ].map((each, n) => (n === 2 ? [true, undefined] : each)),
      asked.err,
    )
    for (const { uri, from, to } of citations) assert.equal(message.slice(from, to), uri)
    assert.deepEqual(
      new Set(citations.filter(({ verified }) => verified).map(({ chatId }) => chatId)),
      new Set([CHAT]),
    )
    assert.match(JSON.stringify(model.requests.at(-1)!.body), /context:\/\/sessions\/\{chatId\}#m\{index\}/)
  })
}

test('a quote without its place is found in the chat', async () => {
  const { openSqliteArchive } = await import('../src/archive/sqlite/index.ts')
  const { checkedCitations } = await import('../src/recall/citations.ts')
  const archive = openSqliteArchive(alex.archive)
  const machine = { platform: process.platform, home: alex.home, env: {} }
  const asker = { archive, sources: [], machine, env: {}, cwd: alex.home } as unknown as Parameters<
    typeof checkedCitations
  >[0]
  const check = async (text: string) => (await checkedCitations(asker, text, (value) => value))[0]
  assert.equal((await check(`"wraps its transaction in retryOnDeadlock" ${at(CHAT)}`))?.index, 10)
  assert.equal((await check(`"nobody said this ever" ${at(CHAT)}`))?.verified, false)
  assert.equal((await check(at(`${CHAT}.md`)))?.verified, true)
  await archive.close()
})

test('the terminal links what exists at its message, and marks what does not', {
  skip: noTerminal(),
}, async (t) => {
  const terminal = new Terminal([process.execPath, recollect, 'chat', '--provider', 'anthropic'], {
    columns: 120,
    rows: 40,
    cwd: alex.home,
    folder: alex.home,
    env: { HOME: alex.home, RECOLLECT_HOME: alex.archive, FORCE_HYPERLINK: '1', ...env },
  })
  t.after(() => terminal.close())
  await terminal.shows(/\/help/)
  terminal.type('what about the deadlock?\r')
  await terminal.shows(
    /an hour \[b6fb68b8#0\]\.[\s\S]*\[deadbeef#3: unverified\][\s\S]*\[b6fb68b8#999\] unverified: The chat has no message 999\.[\s\S]*--session/,
  )
  const link = `\u001b]8;;http://127.0.0.1:3939/chat/claude-code:${CHAT}#m10\u001b\\b6fb68b8#10\u001b]8;;\u001b\\`
  assert.ok(terminal.written.includes(link))
  assert.ok(!/\]8;;[^\u001b]*deadbeef/.test(terminal.written))
  assert.match(terminal.text(), /\[b6fb68b8#0\] Deadlock between checkout and the stock import, 2026-06-02/)
  const shown = await alex.run(['show', 'b6fb68b8#12', '--json'])
  assert.equal(JSON.parse(shown.out).messages[0].index, 12)
})
