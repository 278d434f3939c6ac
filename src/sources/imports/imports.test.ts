import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { recognise, unknownImport } from './index.ts'
import { FIXTURES, line, readImport, tempFolder } from './test-files.ts'

/** What one sees when reading each fixture: the messages of each chat, in their order. */
const EXPECTED: Record<string, { kind: string; chats: Record<string, string[]> }> = {
  'chatgpt.json': {
    kind: 'chatgpt',
    chats: {
      '11111111-aaaa-4000-8000-000000000001': [
        'injected: The user is a gardener.⏎Answer briefly.',
        '~request: When do tulips flower?',
        '~answer: In spring. cancelled',
        'request: When do these tulips flower? [image bulb.png] [file notes.txt]',
        'answer:  (Looking at the bulb⏎It seems to be an early kind.⏎⏎Searching⏎I should look it up.)',
        'answer:  web.run!{"search_query":[{"q":"early tulips flowering time"}]}',
        'tool:  call=Early tulips flower in March.',
        'answer: Early tulips flower in March. Later ones in May. <https://tulips.example/may> ' +
          '<https://tulips.example/early> <https://tulips.example/more>',
        'request: Count the days until then. [audio file_voice]',
        '~answer:  python!"1/0"',
        '~tool:  py-old=error ChatGPTAgentToolException\ndivision by zero',
        'answer:  python!"(60)"',
        'tool:  py=60',
        'tool:  py= [image file-tulip]',
        'answer: Sixty days.',
      ],
      '11111111-aaaa-4000-8000-000000000002': ['request: Hello', 'answer: Hi! How can I help?'],
    },
  },
  'claude-ai.json': {
    kind: 'claude-ai',
    chats: {
      '5b2f6c1e-0000-4000-8000-000000000001': [
        'request: What changed in Rust 1.90? [file paste.txt] [file image.png]',
        'answer: LLD is the default linker. (I should search.) web_search!{"query":"Rust 1.90 release notes"} ' +
          'toolu_01=Announcing Rust 1.90.0\nhttps://blog.rust.example/\nLLD is now the default linker. ' +
          '<https://blog.rust.example/>',
        '~request: And for Windows?',
        '~answer: Not yet. cancelled',
        'request: And for macOS?',
        `answer: Apple's own linker stays. artifacts!{"id":"table","type":"text/markdown","title":"Linkers",` +
          '"command":"create","content":"| OS | linker |"} Sandbox/repl!{"code":"1"} m6:1=error boom m6:0=OK',
      ],
      '5b2f6c1e-0000-4000-8000-000000000002': ['request: Is pasta alive?', 'answer: No.'],
    },
  },
  'librechat-linear.json': {
    kind: 'librechat',
    chats: {
      'lc-2': [
        'request: tell me a story',
        'answer: Once upon a time. (A short one.)',
        'request: go on',
        'answer: The end of the world came cancelled',
      ],
    },
  },
  'librechat-tree.json': {
    kind: 'librechat',
    chats: {
      'lc-1': [
        'injected: You are a meteorologist.',
        'request: Will it rain? [image sky.jpg]',
        'answer: Let me look.⏎⏎Yes, from noon. (I need the forecast.) weather/forecast!{"city":"Oslo"} ' +
          'call_1=Rain from noon <https://yr.example/oslo>',
        '~request: thanks',
        "~answer: You're welcome!",
        'request: And tomorrow?',
        '~answer: Sun.',
        'notice: The model is overloaded. failed',
      ],
    },
  },
  'open-webui.json': {
    kind: 'open-webui',
    chats: {
      c0: [
        'injected: Be kind.',
        'request: Hi [image image] [file a.txt]',
        'answer: Hello!⏎⏎It is noon.⏎⏎<details><summary>More</summary>kept</details> (The user greets.⏎1 < 2.) ' +
          'clock!{"zone":"UTC"} code_interpreter!"print(1+1)" call_7=12:00 m2:1={"stdout":"2"} ' +
          '<https://docs.example/>',
        'answer: Hey! (Short.)',
        '~answer: An older answer',
        'request: Search the news',
        'answer: No news. (Search first.) web_search!{"queries":["news today"]} lookup!{"q":"news"} ' +
          'm6:web_search=https://news.example/ fc1=Nothing new',
        'request: Why?',
        'notice: The model is not loaded failed',
      ],
    },
  },
  'vscode.json': {
    kind: 'vscode',
    chats: { request_1: ['request: Add a test', 'answer: Done: I added one.'] },
  },
  '../../chatwise/fixtures/chat-0137tidb28.json': {
    kind: 'chatwise',
    chats: {
      '0137tidb28': [
        'injected: Be brief.',
        'request: What changed in Rust 1.90?',
        'answer: LLD is the default linker. (I should use the search tool.)',
      ],
    },
  },
}

describe('each kind of export', () => {
  for (const [name, { kind, chats }] of Object.entries(EXPECTED)) {
    test(path.basename(name), () => {
      const reading = readImport(path.join(FIXTURES, name))
      assert.equal(reading.kind, kind)
      const seen = Object.fromEntries(
        Object.entries(reading.messages).map(([id, all]) => [id, all.map(line)]),
      )
      assert.deepEqual(seen, chats)
      assert.ok(reading.chats.every((chat) => chat.source === kind))
    })
  }
})

test('titles, times, models and tokens', () => {
  const gpt = readImport(path.join(FIXTURES, 'chatgpt.json'))
  assert.deepEqual(gpt.chats[0], {
    source: 'chatgpt',
    id: '11111111-aaaa-4000-8000-000000000001',
    title: 'Tulips',
    createdAt: 1767225600000,
    updatedAt: 1767225733000,
    format: 'export',
  })
  assert.equal(gpt.chats[1]!.createdAt, 1767225800000)
  const thought = gpt.messages[gpt.chats[0]!.id]!.find((message) => message.thinking)!
  assert.deepEqual([thought.model, thought.thinkingMs], ['gpt-5-thinking', 3000])
  const drawn = gpt.messages[gpt.chats[0]!.id]!.find((message) => message.attachments?.[0]?.text)!
  assert.deepEqual(drawn.attachments, [
    { name: 'file-tulip', type: 'image', bytes: 300000, text: 'A tulip in March' },
  ])

  const claude = readImport(path.join(FIXTURES, 'claude-ai.json'))
  const [asked, answered] = claude.messages[claude.chats[0]!.id]!
  assert.equal(asked!.attachments![0]!.text, 'hello world!')
  assert.equal(answered!.thinkingMs, 1500)
  assert.equal(answered!.citations![0]!.title, 'Announcing Rust 1.90.0')

  const libre = readImport(path.join(FIXTURES, 'librechat-linear.json'))
  assert.deepEqual(libre.messages['lc-2']![1]!.usage, { input: 11, output: 6 })

  const webui = readImport(path.join(FIXTURES, 'open-webui.json'))
  const greeting = webui.messages.c0![2]!
  assert.deepEqual(
    [greeting.usage, greeting.model, greeting.thinkingMs],
    [{ input: 12, output: 3 }, 'llama3', 3000],
  )
  assert.equal(greeting.createdAt, 1770000001000)
})

test('a tree that has grown keeps the order of what was there', () => {
  const file = path.join(tempFolder(), 'conversations.json')
  const [first] = JSON.parse(fs.readFileSync(path.join(FIXTURES, 'chatgpt.json'), 'utf8'))
  const before = readImport(path.join(FIXTURES, 'chatgpt.json')).messages[first.id]!
  first.mapping.q1.children.push('again')
  first.mapping.again = {
    id: 'again',
    parent: 'q1',
    children: [],
    message: { ...first.mapping.a1.message, id: 'again', create_time: first.create_time + 500 },
  }
  first.current_node = 'again'
  fs.writeFileSync(file, JSON.stringify([first]))
  const after = readImport(file).messages[first.id]!
  assert.equal(after.length, before.length + 1)
  const orders = new Map(after.map((message) => [message.id, message.order]))
  for (const message of before) assert.equal(orders.get(message.id), message.order)
  assert.equal(after.filter((message) => message.kind === 'request' && !message.undone).length, 1)
})

test('a single conversation outside of an array', () => {
  const file = path.join(tempFolder(), 'one.json')
  const [, greeting] = JSON.parse(fs.readFileSync(path.join(FIXTURES, 'chatgpt.json'), 'utf8'))
  fs.writeFileSync(file, JSON.stringify(greeting, null, 2))
  assert.equal(readImport(file).chats[0]!.title, 'Greeting')
})

test('what lies beside the chats of an export is of no kind', () => {
  const file = path.join(tempFolder(), 'x.json')
  for (const document of [
    [{ uuid: 'p', name: 'A project', docs: [] }],
    [{ id: 'f', conversation_id: 'c', rating: 'thumbsUp', content: '{}' }],
    { id: 'user-1', email: 'me@example.org' },
    [],
    {},
    [[[]]],
    'text',
    { messages: [{ role: 'user', content: 'hi' }] },
  ]) {
    fs.writeFileSync(file, JSON.stringify(document))
    assert.equal(recognise({ path: file, name: 'x.json' }).kind, undefined, JSON.stringify(document))
  }
})

test('the error for an unknown kind names all that was looked for', () => {
  const { code, message, hint } = unknownImport('x.json', 'not valid JSON')
  assert.equal(code, 'UNKNOWN_IMPORT')
  assert.match(message, /x\.json.*not valid JSON/)
  for (const name of ['ChatGPT', 'claude.ai', 'LibreChat', 'Open WebUI', 'VS Code', 'ChatWise', 'Recollect'])
    assert.ok(hint!.includes(name), name)
})

test('one damaged chat does not hide the others', () => {
  const file = path.join(tempFolder(), 'conversations.json')
  const chats = JSON.parse(fs.readFileSync(path.join(FIXTURES, 'chatgpt.json'), 'utf8'))
  const text = `[null, {"mapping": {"a" 1}}, ${JSON.stringify(chats[0])}, 3, ${JSON.stringify(chats[1])}]`
  fs.writeFileSync(file, text)
  const { kind, chats: read, problems } = readImport(file)
  assert.equal(kind, 'chatgpt')
  assert.equal(read.length, 2)
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    ['not a chat of ChatGPT', 'not valid JSON', 'not a chat of ChatGPT'],
  )
})

test('exports of other people, where they are at hand', (t) => {
  const samples = path.join(import.meta.dirname, '../../../../shared/samples')
  if (!fs.existsSync(samples)) return t.skip('not here')
  const counts = (file: string) => {
    const { kind, chats, messages, problems } = readImport(path.join(samples, file))
    const all = Object.values(messages).flat()
    const of = (name: string, undone: boolean) =>
      all.filter((message) => message.kind === name && Boolean(message.undone) === undone).length
    const calls = all.flatMap((message) => message.toolCalls ?? []).length
    const shown = [of('request', false), of('answer', false), of('request', true), of('answer', true)]
    return [kind, chats.length, ...shown, calls, all.length, problems.length].join(' ')
  }
  // kind, chats, requests, answers, those two taken back, calls, all messages, problems
  assert.equal(counts('public/chatgpt-export/chatgpt-tree.json'), 'chatgpt 1 3 3 2 3 0 11 0')
  assert.equal(counts('public/chatgpt-export/chatgpt-citations.json'), 'chatgpt 1 0 1 0 0 0 2 0')
  assert.equal(counts('public/claude-ai-export/example-2024/conversations.json'), 'claude-ai 1 1 1 0 0 1 2 0')
  assert.equal(
    counts('synthetic/claude-ai-export/SYNTHETIC-2026/conversations.json'),
    'claude-ai 1 1 1 0 0 1 2 0',
  )
  assert.equal(counts('public/librechat-export/librechat-export.json'), 'librechat 1 3 3 0 0 0 6 0')
  assert.equal(counts('public/librechat-export/librechat-linear.json'), 'librechat 1 1 1 0 0 0 2 0')
  assert.equal(counts('public/librechat-export/librechat-tree.json'), 'librechat 1 2 2 2 3 0 10 0')
  assert.equal(counts('synthetic/open-webui-export/SYNTHETIC-chat-export.json'), 'open-webui 1 1 1 0 0 0 2 0')
  assert.equal(counts('synthetic/chatwise/SYNTHETIC-export/chat-0137tidb28.json'), 'chatwise 1 1 1 0 0 0 2 1')
  assert.equal(
    counts('made-here/vscode/copilot-0.67-vscode-1.139.1/chat-export.json').split(' ').slice(0, 4).join(' '),
    'vscode 1 1 1',
  )
  const citations = readImport(path.join(samples, 'public/chatgpt-export/chatgpt-citations.json'))
  const answer = Object.values(citations.messages)[0]!.find((message) => message.kind === 'answer')!
  assert.equal(answer.citations!.length, 4)
  assert.ok(!answer.text.includes('†'))
})
