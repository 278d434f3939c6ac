import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { appendMessage, needles, writeCorpus } from './corpus.ts'

let temp: string
before(() => {
  temp = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-'))
})
after(() => fs.rmSync(temp, { recursive: true }))

describe('a corpus', () => {
  let home: string
  let texts: Text[]
  before(() => {
    home = path.join(temp, 'shares')
    const corpus = writeCorpus(home, { messages: 3000, seed: 7 })
    assert.equal(corpus.messages, 3000)
    assert.equal(corpus.files, filesOf(home).length)
    texts = textsOf(home)
  })

  test('is the same for the same seed, and another for another', () => {
    const [first, second, other] = [3, 3, 4].map((seed, i) => {
      const folder = path.join(temp, `seed-${i}`)
      const corpus = writeCorpus(folder, { messages: 500, seed })
      assert.equal(corpus.messages, 500)
      return fingerprint(folder)
    })
    assert.equal(first, second)
    assert.notEqual(first, other)
  })

  test('has about 950 bytes of file for a message', () => {
    const bytes = filesOf(home).reduce((sum, file) => sum + fs.statSync(path.join(home, file)).size, 0)
    near(bytes / 3000, 950, 150)
  })

  test('has as many messages as it says', () => {
    assert.equal(texts.filter((text) => text.message).length, 3000)
  })

  test('is shared by the three assistants', () => {
    const share = shareOf(
      texts.filter((text) => text.message),
      (text) => text.file.split('/')[0]!,
    )
    near(share('.claude'), 0.6, 0.05)
    near(share('.copilot'), 0.2, 0.05)
    near(share('.config'), 0.2, 0.05)
  })

  test('is in three languages and code', () => {
    const share = shareOf(
      texts.filter((text) => text.role === 'request' || text.role === 'answer'),
      (text) => languageOf(text.text),
    )
    near(share('en'), 0.55, 0.05)
    near(share('ru'), 0.15, 0.05)
    near(share('zh'), 0.12, 0.05)
    near(share('code'), 0.18, 0.05)
  })

  test('is to one half what tools gave back, much of it more than once', () => {
    const bytes = (some: Text[]) => some.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
    const tools = texts.filter((text) => text.role === 'tool')
    near(bytes(tools) / bytes(texts), 0.5, 0.1)
    const long = tools.filter(({ text }) => text.length > 200).map(({ text }) => text)
    assert.ok(new Set(long).size < 0.9 * long.length)
  })

  test('holds each needle in its chat and nowhere else', () => {
    const files = filesOf(home).map((file) => ({
      file,
      content: fs.readFileSync(path.join(home, file), 'utf8'),
    }))
    for (const { chatId, text } of needles) {
      const holders = files.filter(({ content }) => content.includes(text)).map(({ file }) => file)
      assert.equal(holders.length, 1, text)
      assert.ok(holders[0]!.includes(chatId), text)
    }
  })

  test('is spread over two years', () => {
    const dates = filesOf(home).map((file) => fs.statSync(path.join(home, file)).mtimeMs)
    const days = (Math.max(...dates) - Math.min(...dates)) / 86_400_000
    assert.ok(days > 650 && days < 740, `${days} days`)
  })
})

test('a folder with something in it is left alone', () => {
  const folder = path.join(temp, 'home')
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, '.profile'), '')
  assert.throws(() => writeCorpus(folder, { messages: 500 }), /not empty/)
})

test('an appended message follows the last one', () => {
  const home = path.join(temp, 'append')
  writeCorpus(home, { messages: 500 })
  const file = filesOf(home).find((name) => name.startsWith('.claude'))!
  const linesBefore = records<ClaudeLine>(home, file)
  const text = appendMessage(home, file)
  const linesAfter = records<ClaudeLine>(home, file)
  assert.deepEqual(linesAfter.slice(0, -1), linesBefore)
  const added = linesAfter.at(-1)!
  assert.equal(added.message.content, text)
  assert.equal(added.parentUuid, linesBefore.findLast((record) => record.uuid)!.uuid)
  assert.equal(added.sessionId, path.basename(file, '.jsonl'))
  appendMessage(home, file, 'and another')
  assert.equal(records<ClaudeLine>(home, file).at(-1)!.parentUuid, added.uuid)
})

interface Text {
  file: string
  role: 'request' | 'answer' | 'call' | 'tool'
  text: string
  /** Whether it stands as a message of its own; in VS Code tool results are part of the answer. */
  message: boolean
}

function textsOf(home: string): Text[] {
  return filesOf(home)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => texts(home, file).map((text) => ({ file, ...text })))
}

function texts(home: string, file: string): Found[] {
  if (file.startsWith('.claude')) return claudeTexts(records(home, file))
  if (file.startsWith('.copilot')) return copilotTexts(records(home, file))
  return vscodeTexts(records(home, file))
}

type Found = Omit<Text, 'file'>

interface ClaudeLine {
  type: string
  uuid?: string
  parentUuid?: string
  sessionId: string
  message: {
    id: string
    stop_reason: string
    content: string | { text?: string; thinking?: string; input?: object; content?: string }[]
  }
}

interface CopilotLine {
  type: string
  data: { content: string; toolRequests: object[]; result: { content: string } }
}

interface VscodeRequest {
  message: { text: string }
}

type VscodeLine =
  | { kind: 0; v: { requests: VscodeRequest[] } }
  | { kind: 1; k: [string, number, string]; v: { metadata: { toolCallResults: Results } } }
  | { kind: 2; k: ['requests']; v: VscodeRequest[] }
  | { kind: 2; k: ['requests', number, 'response']; v: { value: string }[]; i?: number }

type Results = Record<string, { content: { value: string }[] }>

function claudeTexts(lines: ClaudeLine[]): Found[] {
  const seen = new Set<string>()
  return lines.flatMap(({ type, message }): Found[] => {
    if (type !== 'user' && type !== 'assistant') return []
    if (typeof message.content === 'string')
      return [{ role: 'request', text: message.content, message: true }]
    const block = message.content[0]!
    if (type === 'user') return [{ role: 'tool', text: block.content!, message: true }]
    const text = block.text ?? block.thinking ?? JSON.stringify(block.input)
    const first = !seen.has(message.id)
    seen.add(message.id)
    return [{ role: message.stop_reason === 'end_turn' ? 'answer' : 'call', text, message: first }]
  })
}

function copilotTexts(lines: CopilotLine[]): Found[] {
  return lines.flatMap(({ type, data }): Found[] => {
    if (type === 'user.message') return [{ role: 'request', text: data.content, message: true }]
    if (type === 'tool.execution_complete')
      return [{ role: 'tool', text: data.result.content, message: true }]
    if (type !== 'assistant.message') return []
    const called = data.toolRequests.length > 0
    return [{ role: called ? 'call' : 'answer', text: data.content, message: true }]
  })
}

function vscodeTexts(lines: VscodeLine[]): Found[] {
  const asked = (requests: VscodeRequest[]) =>
    requests.map(({ message }): Found => ({ role: 'request', text: message.text, message: true }))
  return lines.flatMap((line): Found[] => {
    if (line.kind === 0) return asked(line.v.requests)
    if (line.kind === 1) {
      const results = line.k[2] === 'result' ? Object.values(line.v.metadata.toolCallResults) : []
      return results.map(({ content }) => ({ role: 'tool', text: content[0]!.value, message: false }))
    }
    if (line.k.length === 1) return asked(line.v as VscodeRequest[])
    // A line with `i` writes the end of an answer again.
    if ('i' in line) return []
    return [{ role: 'answer', text: (line.v as { value: string }[]).at(-1)!.value, message: true }]
  })
}

function records<Line>(home: string, file: string): Line[] {
  const content = fs.readFileSync(path.join(home, file), 'utf8')
  assert.ok(content.endsWith('\n'), file)
  return content
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function filesOf(home: string): string[] {
  return fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort()
}

function fingerprint(home: string): string {
  const hash = createHash('sha256')
  for (const file of filesOf(home)) hash.update(file).update(fs.readFileSync(path.join(home, file)))
  return hash.digest('hex')
}

function languageOf(text: string): string {
  if (text.startsWith('```')) return 'code'
  if (/[\u4e00-\u9fff]/.test(text)) return 'zh'
  return /[а-яё]/i.test(text) ? 'ru' : 'en'
}

function shareOf<Item>(items: Item[], of: (item: Item) => string): (name: string) => number {
  const groups = Map.groupBy(items, of)
  return (name) => (groups.get(name)?.length ?? 0) / items.length
}

function near(actual: number, expected: number, tolerance: number) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`)
}
