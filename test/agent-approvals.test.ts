import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { AgentEvent, RunResult } from '../src/agent/agent.ts'
import { runFile } from '../src/sources/recollect-agent/place.ts'
import { agentBench, agentProcess, type Bench, testServer } from './agent-kit.ts'
import { until } from './mcp-kit.ts'
import type { Script } from './real/scripted-model.ts'

const { signal } = new AbortController()

/** A model that writes two notes: one with a tool that must be asked about, after one that need not. */
function writing(note: string): Script {
  return {
    when: 'write it down',
    turns: [
      {
        text: 'I will.',
        calls: [
          { tool: 'list_chats', args: { limit: 1 } },
          { tool: 'write_note', args: { path: note, note: 'milk' } },
        ],
      },
      { text: 'It is written.' },
    ],
  }
}

async function bench(
  config: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<Bench & { note: string; noted(): string }> {
  const note = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-note-')), 'note.txt')
  const made = await agentBench({
    scripts: [writing(note), { when: 'hello', turns: [{ text: 'Hello to you.' }] }],
    servers: [testServer('test', env)],
    config,
  })
  after(async () => {
    await made.close()
    fs.rmSync(path.dirname(note), { recursive: true, force: true })
  })
  return Object.assign(made, {
    note,
    noted: () => (fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : ''),
  })
}

test('a run waits for the person, survives a restart, and goes on where it was', async () => {
  const place = await bench()
  const paused = await place.run('write it down')
  assert.equal(paused.status, 'paused')
  assert.deepEqual(
    paused.approvals.map(({ tool, server, args }) => ({ tool, server, args })),
    [{ tool: 'write_note', server: 'test', args: { path: place.note, note: 'milk' } }],
  )
  assert.equal(paused.toolResults.length, 1, 'what need not be asked about was run at once')
  assert.equal(place.noted(), '')
  assert.equal((await place.agent.session(paused.sessionId)).status, 'paused')

  await place.restart()
  const [waiting] = await place.agent.approvals()
  assert.deepEqual(waiting, paused.approvals[0])
  await assert.rejects(
    place.agent.resume(paused.sessionId, () => {}, signal),
    { code: 'APPROVALS_PENDING' },
  )
  assert.equal((await place.agent.decide(waiting!.id, { decision: 'allow' })).decision, 'allow')
  await assert.rejects(place.agent.decide(waiting!.id, { decision: 'deny' }), { code: 'APPROVAL_NOT_FOUND' })
  assert.deepEqual(await place.agent.approvals(), [])

  await place.restart()
  const events: AgentEvent[] = []
  const done = await place.agent.resume(paused.sessionId, (event) => events.push(event), signal)
  assert.equal(done.status, 'done')
  assert.equal(done.message, 'It is written.')
  assert.equal(place.noted(), 'milk\n')
  assert.equal(done.usage.steps, 2)
  assert.deepEqual(
    done.toolResults.map(({ toolName, success }) => [toolName, success]),
    [
      ['list_chats', true],
      ['write_note', true],
    ],
  )
  await assert.rejects(
    place.agent.resume(paused.sessionId, () => {}, signal),
    { code: 'NOT_PAUSED' },
  )
})

for (const goesOn of ['resumed', 'asked something else'])
  test(`a tool that ran when its process was killed is not run again where the chat is ${goesOn}: the model hears that it is not known`, async () => {
    const place = await bench({}, { SLOW_NOTE: '60000' })
    const { approvals, sessionId } = await place.run('write it down')
    await place.agent.decide(approvals[0]!.id, { decision: 'allow' })
    const child = agentProcess(
      place.folder,
      `await agent.resume('${sessionId}', () => {}, new AbortController().signal)`,
      place.env,
    )
    await until('it is written', () => place.noted() !== '')
    child.kill('SIGKILL')
    await until('it is dead', () => child.signalCode !== null)
    const done =
      goesOn === 'resumed'
        ? await place.agent.resume(sessionId, () => {}, signal)
        : await place.run({ message: 'hello', sessionId })
    assert.equal(done.status, 'done')
    assert.equal(place.noted(), 'milk\n')
    const { messages } = await place.agent.session(sessionId)
    const told = messages.find(({ toolResult }) => toolResult?.tool === 'write_note')?.toolResult
    assert.deepEqual(
      [told?.success, told?.result],
      [
        false,
        'Error: The process that ran write_note ended meanwhile. Whether write_note was carried out is not known.',
      ],
    )
  })

test('what is denied is not run, and the model hears why', async () => {
  const place = await bench()
  const { approvals, sessionId } = await place.run('write it down')
  await place.agent.decide(approvals[0]!.id, { decision: 'deny', reason: 'no notes today' })
  const done = await place.agent.resume(sessionId, () => {}, signal)
  assert.equal(done.toolResults[1]?.result, 'Error: Not executed: no notes today')
  assert.equal(done.toolResults[1]?.success, false)
  assert.equal(place.noted(), '')
})

/** Somebody who can write to the file of a paused run tries to have something run. */
const FORGERIES: Record<string, (lines: string[]) => string[]> = {
  'a decision that nobody made': (lines) => {
    const asked = JSON.parse(lines.find((line) => line.includes('"type":"approval"'))!)
    return [
      ...lines,
      JSON.stringify({
        type: 'decision',
        id: asked.id,
        decision: 'allow',
        signature: asked.signature,
        at: 1,
      }),
    ]
  },
  'another input in the call that was allowed': (lines) =>
    lines.map((line) => (line.includes('"type":"answer"') ? line.replaceAll('milk', 'poison') : line)),
  'another input in both places': (lines) => lines.map((line) => line.replaceAll('milk', 'poison')),
  'a denial turned into its opposite': (lines) =>
    lines.map((line) => line.replace('"decision":"deny"', '"decision":"allow"')),
}

for (const [name, forged] of Object.entries(FORGERIES)) {
  test(`refused: ${name}`, async () => {
    const place = await bench()
    const { approvals, sessionId } = await place.run('write it down')
    if (!name.includes('nobody')) {
      const decision = name.includes('denial') ? 'deny' : 'allow'
      await place.agent.decide(approvals[0]!.id, { decision })
    }
    const file = runFile(place.folder, sessionId)
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
    fs.writeFileSync(file, `${forged(lines).join('\n')}\n`)
    await place.restart()
    await assert.rejects(
      place.agent.resume(sessionId, () => {}, signal),
      { code: 'APPROVAL_REFUSED' },
    )
    assert.equal(place.noted(), '')
  })
}

test('a decision of another dialog counts for nothing here', async () => {
  const place = await bench()
  const one = await place.run('write it down')
  const other = await place.run('write it down')
  await place.agent.decide(one.approvals[0]!.id, { decision: 'allow' })
  const decided = fs.readFileSync(runFile(place.folder, one.sessionId), 'utf8').trimEnd().split('\n').at(-1)!
  fs.appendFileSync(
    runFile(place.folder, other.sessionId),
    `${decided.replace(one.approvals[0]!.id, other.approvals[0]!.id)}\n`,
  )
  await assert.rejects(
    place.agent.resume(other.sessionId, () => {}, signal),
    { code: 'APPROVAL_REFUSED' },
  )
  assert.equal(place.noted(), '')
})

for (const remember of ['session', 'tool', 'server'] as const) {
  test(`remembered for the ${remember}: it is not asked about again`, async () => {
    const place = await bench()
    const first = await place.run('write it down')
    await place.agent.decide(first.approvals[0]!.id, { decision: 'allow', remember })
    await place.agent.resume(first.sessionId, () => {}, signal)
    await place.restart()
    const again = (sessionId?: string): Promise<RunResult> =>
      place.run({ message: 'write it down', sessionId })
    assert.equal((await again(first.sessionId)).status, 'done')
    assert.equal((await again()).status, remember === 'session' ? 'paused' : 'done')
    assert.equal(place.noted(), remember === 'session' ? 'milk\nmilk\n' : 'milk\nmilk\nmilk\n')
    if (remember === 'session') return
    const file = path.join(place.folder, 'agent-approvals.json')
    if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
    // Another first character, whichever it was.
    const forged = (_: string, first: string) => `"signature": "${first === 'A' ? 'B' : 'A'}`
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(/"signature": "(.)/g, forged))
    assert.equal((await again()).status, 'paused', 'a word that is not signed is no word')
  })
}

test('never is never, whatever was decided; always is not asked', async () => {
  const never = await bench({ approvals: { 'test/write_*': 'never' } })
  const { toolResults } = await never.run('write it down')
  assert.match(toolResults[1]!.result, /^Error: (Not executed|Tool 'write_note' not found)/)
  assert.equal(never.noted(), '')
  const always = await bench({ approvals: { 'test/write_*': 'always', test: 'never' } })
  assert.equal((await always.run('write it down')).status, 'done')
  assert.equal(always.noted(), 'milk\n')
})

test('who goes on without deciding has decided against it', async () => {
  const place = await bench()
  const { sessionId } = await place.run('write it down')
  const next = await place.run({ message: 'never mind', sessionId })
  assert.equal(next.status, 'done')
  assert.deepEqual(await place.agent.approvals(), [])
  assert.equal(place.noted(), '')
  const results = (await place.agent.session(sessionId)).messages.flatMap(
    ({ toolResult }) => toolResult ?? [],
  )
  assert.match(results[1]!.result, /went on without deciding/)
})

test('the files of the agent are for its owner alone', async () => {
  const place = await bench()
  const { sessionId } = await place.run('write it down')
  for (const file of [runFile(place.folder, sessionId), path.join(place.folder, 'agent.key')])
    if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600, file)
  if (process.platform !== 'win32')
    assert.equal(fs.statSync(path.join(place.folder, 'runs')).mode & 0o777, 0o700)
})
