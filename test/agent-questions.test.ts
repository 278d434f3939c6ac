import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { followedEvents } from '../src/http/agent-events.ts'
import { everything, variable } from './agent-kit.ts'
import { type Events, type Site, site } from './http-kit.ts'
import { type Answer, sampleMachine, until } from './mcp-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'

const SECRET = 'zq-typed-into-a-form-81c4'
const alex = sampleMachine()
let model: ScriptedModel
let served: Site
const one = (when: string, tool: string, args: unknown) => ({
  when,
  turns: [{ calls: [{ tool, args }] }, { text: 'Done.' }],
})

before(async () => {
  model = await startScriptedModel([
    one('want to know', 'trigger-elicitation-request', {}),
    one('borrow the model', 'trigger-sampling-request', {
      prompt: 'what is seven times six?',
      maxTokens: 50,
    }),
    { when: 'seven times six', turns: [{ text: 'Forty-two.' }] },
    one('take long', 'trigger-long-running-operation', { duration: 1, steps: 2 }),
  ])
  fs.mkdirSync(alex.archive, { recursive: true })
  const agent = { approvals: { everything: 'always' } }
  fs.writeFileSync(path.join(alex.archive, 'config.json'), JSON.stringify({ agent }))
  const closed = { ...everything('closed'), env: { TOKEN: variable('input:closed-token') } }
  const inputs = [{ id: 'closed-token', description: 'The token of the closed server' }]
  fs.writeFileSync(
    path.join(alex.archive, 'mcp-servers.json'),
    JSON.stringify({ servers: [everything(), closed], inputs }),
  )
  served = await site(alex, {
    env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url, RECOLLECT_KEYCHAIN: 'off' },
  })
  await until('all tools are there', async () =>
    (await served.ask('/api/v2/mcp/tools')).json.tools.some(
      ({ name }: Answer) => name === 'trigger-sampling-request',
    ),
  )
})
after(async () => {
  await served?.close()
  await model?.close()
  alex.remove()
})

const start = async (message: string): Promise<Events & { id: string }> => {
  const { json } = await served.ask('/api/v1/runs', { body: { message }, as: 'program' })
  const events = await served.events(`/api/v1/sessions/${json.sessionId}/events`)
  return Object.assign(events, { id: json.sessionId })
}
const asked = async (events: Events): Promise<Answer> => {
  await until('it is asked', () => events.all.some(({ event }) => event === 'question'))
  return events.all.find(({ event }) => event === 'question')!.data.question
}
const answer = async (id: string, body: unknown, as: 'page' | 'program' = 'page') =>
  await served.ask(`/api/v1/questions/${id}`, { body, as })
const resultIn = ({ all }: Events) => all.find(({ event }) => event === 'tool-result')?.data.result as string

describe('what a server asks is answered over REST', () => {
  test('a form: by the owner alone, checked, and what was filled in is in no file', async () => {
    const events = await start('want to know')
    const question = await asked(events)
    assert.deepEqual([question.kind, question.server, question.sessionId], ['form', 'everything', events.id])
    const field = (name: string) => question.fields.find((each: Answer) => each.name === name)
    assert.deepEqual(field('untitledMultipleSelectEnum').type, 'several')
    assert.deepEqual(field('titledSingleSelectEnum').choices[0], { value: 'hero-1', title: 'Superman' })
    assert.deepEqual((await served.ask('/api/v1/questions')).json.questions, [question])
    const session = async () => (await served.ask('/api/v1/sessions')).json.sessions[0]
    assert.deepEqual([(await session()).status, (await session()).asks], ['running', true])
    assert.equal((await served.ask('/api/v1/questions', { as: 'program' })).status, 403)
    const content = { name: SECRET, untitledMultipleSelectEnum: ['Piano'], integer: 7 }
    assert.equal((await answer(question.id, { action: 'accept', content }, 'program')).status, 403)
    for (const [wrong, words] of [
      [{}, /String is needed/],
      [{ ...content, integer: 7.5 }, /whole number/],
      [{ ...content, integer: 500 }, /1 to 100/],
      [{ ...content, untitledMultipleSelectEnum: ['Kazoo'] }, /some of: Guitar/],
      [{ ...content, email: 'nobody' }, /e-mail/],
    ] as const) {
      const refused = await answer(question.id, { action: 'accept', content: wrong })
      assert.deepEqual([refused.status, words.test(refused.json.error.message)], [400, true], refused.text)
    }
    const given = await answer(question.id, { action: 'accept', content })
    assert.deepEqual([given.status, given.json.outcome], [200, 'accept'], given.text)
    assert.equal(
      (await answer(question.id, { action: 'accept', content })).json.error.code,
      'QUESTION_NOT_FOUND',
    )
    await until('it is done', events.ended)
    assert.deepEqual([(await session()).status, (await session()).asks], ['done', undefined])
    assert.match(resultIn(events), new RegExp(SECRET))
    const told = events.all.filter(({ event }) => event === 'question')
    assert.deepEqual(
      told.map(({ data }) => data.question.outcome),
      [undefined, 'accept'],
    )
    for (const { event, data } of events.all) followedEvents[event as keyof typeof followedEvents].parse(data)
    const lines = fs.readFileSync(path.join(alex.archive, 'runs', `${events.id}.jsonl`), 'utf8').split('\n')
    const about = lines.filter((line) => /"type":"(?:question|answered)"/.test(line))
    assert.equal(about.length, 2)
    assert.ok(!about.join().includes(SECRET))
    assert.deepEqual((await served.ask('/api/v1/questions')).json.questions, [])
  })

  test('declined, and gone where the run is stopped', async () => {
    const events = await start('want to know')
    await answer((await asked(events)).id, { action: 'decline' })
    await until('it is done', events.ended)
    assert.match(resultIn(events), /declined/i)
    const other = await start('want to know')
    const { id } = await asked(other)
    await served.ask(`/api/v1/sessions/${other.id}/stop`, { method: 'POST' })
    await until('it has ended', other.ended)
    assert.equal((await answer(id, { action: 'accept', content: { name: 'x' } })).status, 404)
    assert.deepEqual((await served.ask('/api/v1/questions')).json.questions, [])
  })

  test('the model answers a server once the owner allowed it', async () => {
    const events = await start('borrow the model')
    const question = await asked(events)
    assert.deepEqual([question.kind, question.fields], ['sampling', []])
    assert.match(question.message, /seven times six/)
    assert.equal((await answer(question.id, { action: 'accept' })).status, 200)
    await until('it is done', events.ended)
    assert.match(resultIn(events), /Forty-two\./)
  })

  test('nobody is asked for a program that speaks as to OpenAI', async () => {
    const body = { model: 'recollect', messages: [{ role: 'user', content: 'want to know' }] }
    const { json } = await served.ask('/v1/chat/completions', { body, as: 'program' })
    assert.equal(json.choices[0].message.content, 'Done.')
  })
})

test('how far a tool is, is told to whoever follows', async () => {
  const events = await start('take long')
  await until('it is done', events.ended)
  const { data } = events.all.find(({ event }) => event === 'progress')!
  assert.deepEqual([data.done, data.total, data.tool], [1, 2, 'trigger-long-running-operation'])
  followedEvents.progress.parse(data)
})

test('what a server wants before it is started is entered by the owner and kept as keys are', async () => {
  const closed = async () =>
    (await served.ask('/api/v2/mcp/servers')).json.servers.find(({ id }: Answer) => id === 'closed')
  assert.deepEqual((await closed()).wants, [
    { name: 'closed-token', description: 'The token of the closed server' },
  ])
  const at = '/api/v2/mcp/inputs/closed-token'
  const put = { method: 'PUT', body: { value: 'zq input with words' } }
  assert.equal((await served.ask(at, { ...put, as: 'program' })).status, 403)
  const kept = await served.ask(at, put)
  assert.deepEqual([kept.status, kept.json], [200, { kept: 'file' }], kept.text)
  assert.equal((await served.ask('/api/v2/mcp/inputs/a%20b', put)).status, 400)
  await until('it runs', async () => (await closed()).status === 'ready')
  assert.equal((await closed()).wants, undefined)
})
