import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type OpenAI from 'openai'
import { sampleMachine } from './mcp-kit.ts'
import { type Spoken, spokenTo } from './openai-kit.ts'

const TOKEN = 'ghp_Zq7Rt2Xw9Lk4Mv6Bn8Cp3Ds5Fg1Hj0AaEeYy'
const alex = sampleMachine()
let spoken: Spoken
let served: Spoken['served']
let openai: OpenAI

before(async () => {
  spoken = await spokenTo(alex, [{ when: 'my token', turns: [{ text: `It is ${TOKEN}, as you said.` }] }])
  ;({ served, openai } = spoken)
})
after(async () => {
  await spoken?.close()
  alex.remove()
})

test('what a model says goes out without secrets, at once and as it comes, on every way', async () => {
  const asked = { model: 'recollect', messages: [{ role: 'user' as const, content: 'what is my token?' }] }
  const said: string[] = []
  const completion = await openai.chat.completions.create(asked)
  said.push(completion.choices[0]?.message.content ?? '')
  let streamed = ''
  for await (const chunk of await openai.chat.completions.create({ ...asked, stream: true }))
    streamed += chunk.choices[0]?.delta.content ?? ''
  said.push(streamed)
  const input = 'what is my token?'
  said.push((await openai.responses.create({ model: 'recollect', input })).output_text)
  let spoken = ''
  for await (const event of await openai.responses.create({ model: 'recollect', input, stream: true }))
    if (event.type === 'response.output_text.delta') spoken += event.delta
  said.push(spoken)
  for (const text of said) assert.equal(text, 'It is [redacted: GitHub token], as you said.')
  const headers = { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' }
  for (const accept of ['application/json', 'text/event-stream']) {
    const answer = await fetch(new URL('/api/v1/chat', served.url), {
      method: 'POST',
      headers: { ...headers, accept },
      body: JSON.stringify({ message: input }),
    })
    const text = await answer.text()
    assert.match(text, /redacted: GitHub token/)
    assert.doesNotMatch(text, /ghp_Zq7/)
  }
})
