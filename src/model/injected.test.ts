import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message, ToolCall, ToolResult } from './chat.ts'
import { isOwnAnswer, isOwnCall, isRecall, marked, withoutRecall } from './injected.ts'
import { toolText } from './tool-text.ts'

const request = (text: string): Message => ({ id: 'm', order: 1, role: 'user', kind: 'request', text })

/** What was stored as typed; what of it was; the names of the blocks. */
const PROMPTS: [stored: string, typed: string, ...blocks: string[]][] = [
  ['Fix the test', 'Fix the test'],
  ['<claude-mem-context>\n# Recent\n</claude-mem-context>\n\nGo on', 'Go on', 'claude-mem-context'],
  ['Go on\n<system-reminder>Be brief.</system-reminder>', 'Go on', 'system-reminder'],
  ['<relevant-memories>\n<memory>tea</memory>\n</relevant-memories>\nHi', 'Hi', 'relevant-memories'],
  ['Hi <relevant_memories>tea</relevant_memories> there', 'Hi  there', 'relevant_memories'],
  ['<supermemory-context>\nx\n</supermemory-context>\nHi', 'Hi', 'supermemory-context'],
  ['<mem0-relevant-memories>\nx\n</mem0-relevant-memories>\nHi', 'Hi', 'mem0-relevant-memories'],
  [
    '<agentmemory-context project="a">\nx\n</agentmemory-context>\nHi\n<memory-context>y</memory-context>',
    'Hi',
    'agentmemory-context',
    'memory-context',
  ],
  ['<hindsight_memories>x</hindsight_memories>\nHi', 'Hi', 'hindsight_memories'],
  ['<recalled_experience>x</recalled_experience>\nHi', 'Hi', 'recalled_experience'],
  ['<PAST_CONVERSATIONS>\nx\n</PAST_CONVERSATIONS>\nHi', 'Hi', 'PAST_CONVERSATIONS'],
  ['<episodic-memory hint="48h">x</episodic-memory>\nHi', 'Hi', 'episodic-memory'],
  ['<memory>\nlikes tea\n</memory>\nWhat do I like?', 'What do I like?', 'memory'],
  ['My key is <private>abc</private>, use it', 'My key is , use it', 'private'],
  ['<system-reminder>a <system-reminder>b</system-reminder> c</system-reminder>Hi', 'Hi', 'system-reminder'],
  ['<system-reminder>about <system-reminder> tags</system-reminder>Hi', 'Hi', 'system-reminder'],
  // Somebody speaks of such a block, or of other things with that name.
  ['What is <system-reminder> for?', 'What is <system-reminder> for?'],
  ['What is <system-reminder> and </private> for?', 'What is <system-reminder> and </private> for?'],
  ['Set the <memory>4G</memory> element', 'Set the <memory>4G</memory> element'],
  ['Why?\n```xml\n<memory>\n4G\n</memory>\n```', 'Why?\n```xml\n<memory>\n4G\n</memory>\n```'],
  ['```\na\n```\n<memory>x</memory>\nHi', '```\na\n```\n\nHi', 'memory'],
  ['<memory-card>x</memory-card> Hi', '<memory-card>x</memory-card> Hi'],
  // What stands around a block is left as it was typed.
  ['    if x:\n\n\n\n  y\n<system-reminder>z</system-reminder>', '    if x:\n\n\n\n  y', 'system-reminder'],
  ['<system-reminder>z</system-reminder>\n\n    if x:\n\n\n\n  y', '    if x:\n\n\n\n  y', 'system-reminder'],
  ['<system-reminder>z</system-reminder> Hi', 'Hi', 'system-reminder'],
  ['a\r\n\r\n\r\n\r\nb <private>x</private> c', 'a\r\n\r\n\r\n\r\nb  c', 'private'],
  ['a\n\n<memory>x</memory>\n\n  b', 'a\n\n  b', 'memory'],
  ['a\n\n\n\n  <memory>x</memory>\nb', 'a\n\n\n\nb', 'memory'],
]

/** Pasted by the person: only the spelling that tools write, where they write it, is theirs. */
const PASTED = [
  'Why?\n\n<Reference Include="Foo">\n  <Private>False</Private>\n</Reference>\n\n\n\nKeep these lines.',
  '<Private>False</Private>',
  '<PRIVATE>x</PRIVATE>',
  '<private scope="x">y</private>',
  'Unit?\n<domain>\n  <memory unit="KiB">1048576</memory>\n</domain>',
  '<memory unit="KiB">1048576</memory> is in my libvirt XML; what unit is it?',
  '<domain type="kvm">\n<name>a</name>\n<memory>4</memory>\n</domain>',
  '<settings><br><private>true</private></settings>',
  '<Memory>\n8\n</Memory>\nHi',
  '<memories count="2">\n8\n</memories>\nHi',
  '<User_Memory>8</User_Memory> Hi',
  '<row><user_memory>8</user_memory></row>',
  '<mem0_size>8</mem0_size> Hi',
  '<recalled_products>8</recalled_products> Hi',
  '<Past_Conversations>8</Past_Conversations> Hi',
]

test('XML that a person pasted is left as it is', () => {
  for (const stored of PASTED) {
    const message = request(stored)
    assert.equal(marked(message), message, stored)
    assert.ok(!isRecall(stored))
  }
})

test('a block is none in an element around it, and one where that element is not closed', () => {
  const typedIn = (stored: string) => marked(request(stored)).text
  assert.equal(typedIn('<p>a</p> <private>x</private> <p>b</p>'), '<p>a</p>  <p>b</p>')
  assert.equal(typedIn('Promise<void> <private>x</private> b'), 'Promise<void>  b')
  assert.equal(typedIn('<a/> <private>x</private> </a>'), '<a/>  </a>')
  assert.equal(typedIn('<a> <b> </a> <private>x</private> </b>'), '<a> <b> </a>  </b>')
})

test('what tools put into a prompt stands beside it, and what was typed remains', () => {
  for (const [stored, typed, ...blocks] of PROMPTS) {
    const message = marked(request(stored))
    assert.equal(message.text, typed, stored)
    assert.equal(message.kind, 'request')
    assert.deepEqual(message.attachments?.map(({ name }) => name) ?? [], blocks, stored)
    for (const { text } of message.attachments ?? []) assert.ok(stored.includes(text!))
    assert.deepEqual(marked(message), message, 'telling it twice changes nothing')
  }
})

test('a prompt of nothing but such blocks is none', () => {
  const stored = '<system-reminder>x</system-reminder>\n<memories>y</memories>\n'
  const message = marked(request(stored))
  assert.deepEqual([message.kind, message.text], ['injected', stored])
  assert.ok(isRecall(stored))
  assert.ok(!isRecall('Hi') && !isRecall('') && !isRecall(`${stored}Hi`))
})

test('answers are left as they are', () => {
  const answer: Message = { ...request('<memory>x</memory>'), kind: 'answer', role: 'assistant' }
  assert.equal(marked(answer), answer)
})

test('a tool’s text is searched without what other tools added to it, but with XML of its own', () => {
  assert.equal(withoutRecall('1 passed\n<system-reminder>x</system-reminder>'), '1 passed')
  assert.equal(
    withoutRecall('<domain>\n<memory>4G</memory>\n</domain>'),
    '<domain>\n<memory>4G</memory>\n</domain>',
  )
})

const CALLS: [own: boolean, call: Omit<ToolCall, 'id'>][] = [
  [true, { server: 'recollect', tool: 'gather_chats' }],
  [true, { server: 'my-recollect-dev', tool: 'read_context' }],
  [true, { tool: 'copilot_chat_secretary_get_request' }],
  [true, { tool: 'mcp__recollect__search_conversations' }],
  [true, { tool: 'mcp_recollect_search_conversations' }],
  [true, { tool: 'recollect__list_chats' }],
  [false, { tool: 'search_conversations' }],
  [false, { server: 'files', tool: 'recollection' }],
  [false, { tool: 'bash' }],
]

test('calls of our tools are known by server or name', () => {
  for (const [own, call] of CALLS) assert.equal(isOwnCall({ id: 'c', ...call }), own, JSON.stringify(call))
})

const found = {
  status: 'ok',
  iterations_used: 1,
  confidence: 0.9,
  totalFound: 1,
  topChatIds: ['a'],
  results: [],
}
const gathered = {
  chat: { id: 'a', title: 'A', messageCount: 2, timeRange: { from: 1, to: 2 } },
  messages: [{ messageId: 'm', role: 'user', content: 'Hi' }],
}
const merged = { meta: [{ chatIdx: 0, id: 'a' }], narrative: [{ chatIdx: 0, index: 0, messageId: 'm' }] }

const ANSWERS: [own: boolean, result: Omit<ToolResult, 'callId'>][] = [
  [true, { text: JSON.stringify(found) }],
  [true, { text: JSON.stringify(found, null, 2) }],
  [true, { text: JSON.stringify([{ type: 'text', text: JSON.stringify(found) }]) }],
  [true, { text: JSON.stringify(gathered).slice(0, -5) }],
  [true, { json: merged }],
  [true, { text: '{"success":true,"sessionId":"a","firstRequest":"Hi","timestamp":1,"requestsCount":2}' }],
  [true, { json: { success: true, sessionId: 'a', request: 'Hi', index: 1, totalRequests: 2 } }],
  [false, { text: 'Its answer holds `"topChatIds":` and `"iterations_used":`.' }],
  [false, { text: '{"chat":{"id":"a"},"messages":[]}' }],
  [false, { json: { narrative: 'A story' } }],
  [false, { error: 'no such tool' }],
]

test('our answers are known by their look where the call is not', () => {
  for (const [own, result] of ANSWERS)
    assert.equal(isOwnAnswer({ callId: 'c', ...result }), own, JSON.stringify(result))
})

test('a result in another message than its call is still our own', () => {
  const ownCalls = new Set<string>()
  const call: Message = {
    ...request(''),
    kind: 'answer',
    toolCalls: [
      { id: 'c1', server: 'recollect', tool: 'read_context' },
      { id: 'c2', tool: 'bash' },
    ],
  }
  const results: Message = {
    ...request(''),
    kind: 'tool',
    toolResults: [
      { callId: 'c1', text: 'Zanzibar' },
      { callId: 'c2', text: 'Samarkand' },
    ],
  }
  marked(call, 'chat', ownCalls)
  const message = marked(results, 'chat', ownCalls)
  assert.deepEqual(
    message.toolResults!.map(({ own }) => own),
    [true, undefined],
  )
  assert.ok(!toolText(message).includes('Zanzibar') && toolText(message).includes('Samarkand'))
  assert.equal(marked(results, 'another chat', ownCalls), results)
  marked({ ...call, toolCalls: [{ id: 'c1', tool: 'bash' }] }, 'chat', ownCalls)
  assert.equal(marked(results, 'chat', ownCalls), results, 'an id that is used again')
  for (let id = 0; id < 5000; id++)
    marked({ ...call, toolCalls: [{ ...call.toolCalls![0]!, id: `${id}` }] }, 'chat', ownCalls)
  assert.ok(ownCalls.size <= 500)
})

test('hostile text costs no more than its length', () => {
  const pieces = [
    '<memory>',
    '</memory>',
    '<private>',
    '</private>',
    '<system-reminder>',
    '\n```\n',
    '<a>',
    '</b>',
    'x ',
    '<',
  ]
  const samples = [
    ...pieces.map((piece) => piece.repeat(100_000)),
    `${'<private>'.repeat(50_000)}${'</private>'.repeat(40_000)}`,
    '<a><private>x</private></a>'.repeat(50_000),
    `${Array.from({ length: 50_000 }, (_, n) => `<n${n}>`).join('')}${'<private>x</private></b>'.repeat(5_000)}`,
    ...Array.from({ length: 50 }, (_, seed) =>
      Array.from(
        { length: 2_000 },
        (_, place) => pieces[(place * (7919 + seed) + ((place * place) >> 3)) % pieces.length],
      ).join(''),
    ),
  ]
  // Time of the processor, which others do not take from us: what grows with the square would take minutes of it.
  const before = process.cpuUsage()
  for (const sample of samples) marked(request(sample))
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 15_000_000, `${(user + system) / 1e6} s`)
})
