import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { VSBuffer } from '@codingame/monaco-vscode-api/vscode/vs/base/common/buffer'
import { storageSchema } from '@codingame/monaco-vscode-chat-service-override/vscode/vs/workbench/contrib/chat/common/model/chatSessionOperationLog'
import { ObjectMutationLog } from '@codingame/monaco-vscode-chat-service-override/vscode/vs/workbench/contrib/chat/common/model/objectMutationLog'
import { randomFrom } from '../mutations.ts'
import { withReader } from '../source.ts'
import { gather, machineAt, type Reading } from '../test-kit.ts'
import { vscode as described } from './index.ts'
import { replay } from './replay.ts'

const vscode = await withReader(described)

const LOGS = 1000
/** Of the generated logs, how many are also read save by save. */
const READ_WHILE_GROWING = 60

test('real logs add up to what VS Code makes of them', () => {
  const fixtures = path.join(import.meta.dirname, 'fixtures')
  const samples = path.join(import.meta.dirname, '../../../../shared/samples')
  const files = [fixtures, samples].flatMap((folder) =>
    fs.globSync('**/*hatSessions/*.jsonl', { cwd: folder }).map((name) => path.join(folder, name)),
  )
  const generated = path.join(samples, 'public/vscode/generated')
  for (const name of ['gen-01', 'gen-02', 'gen-06', 'gen-07']) {
    files.push(...fs.globSync(`${name}*.jsonl`, { cwd: generated }).map((file) => path.join(generated, file)))
  }
  assert.ok(files.length >= 12)
  for (const file of files) assertSame(fs.readFileSync(file), file)
})

test(`${LOGS} logs that VS Code wrote add up to what it makes of them`, () => {
  for (let seed = 1; seed <= LOGS; seed++) {
    const saves = [...writtenLog(seed)]
    assertSame(saves.at(-1)!, `seed ${seed}`)
  }
})

test('a log that VS Code goes on writing, read after each save, ends as one read whole', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-oracle-'))
  try {
    const unit = vscode.unit('workspaceStorage/ws/chatSessions/s.jsonl', { path: root })!
    fs.mkdirSync(path.dirname(unit.path), { recursive: true })
    for (let seed = 1; seed <= READ_WHILE_GROWING; seed++) {
      let reading: Reading | undefined
      for (const save of writtenLog(seed)) {
        fs.writeFileSync(unit.path, save)
        const found = [...vscode.read(unit, reading?.checkpoint, machineAt(root))]
        const restarts = found.some((item) => 'restart' in item)
        reading = gather(found, restarts ? undefined : reading)
      }
      const whole = gather(vscode.read(unit, undefined, machineAt(root)))
      assert.deepEqual(reading!.messages, whole.messages, `seed ${seed}`)
      assert.deepEqual(reading!.chats, whole.chats, `seed ${seed}`)
    }
  } finally {
    fs.rmSync(root, { recursive: true })
  }
})

function assertSame(bytes: Buffer, what: string) {
  const theirs = new ObjectMutationLog(storageSchema).read(VSBuffer.wrap(bytes))
  const lines = bytes.toString('utf8').split('\n')
  const ours = replay(lines.filter((line) => line !== '').map((line) => JSON.parse(line)))
  assert.deepEqual(stored(ours), stored(theirs), what)
}

function stored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The file after each save of a session in which a made-up person and assistant do this and that. */
function* writtenLog(seed: number): Generator<Buffer> {
  const random = randomFrom(seed)
  const upTo = (count: number) => Math.floor(random() * count)
  const session = newSession(seed)
  const log = new ObjectMutationLog(storageSchema, seed % 3 === 0 ? 12 : 1024)
  let file = Buffer.alloc(0)
  const steps = 4 + upTo(16)
  for (let step = 0; step < steps; step++) {
    for (let edits = upTo(4); edits >= 0; edits--) edit(session, upTo, step)
    const { op, data } = log.write(session as never)
    log.confirmWrite()
    const bytes = Buffer.from(data.buffer)
    file = op === 'replace' ? bytes : Buffer.concat([file, bytes])
    if (file.length > 0) yield file
  }
}

interface Turn {
  id: string
  [field: string]: unknown
  response: {
    entireResponse: { value: Record<string, unknown>[] }
    stateT: { value: number; completedAt?: number }
    [field: string]: unknown
  }
}

/** As much of VS Code's own chat model as its log looks at. */
function newSession(seed: number) {
  const turns: Turn[] = []
  const queued: { request: Turn; kind: string; sendOptions: object }[] = []
  const input = {
    attachments: [],
    mode: { id: 'agent', kind: 'agent' },
    inputText: '',
    selections: [],
    contrib: {},
  }
  return {
    timestamp: 1_780_000_000_000 + seed,
    hasCustomTitle: false,
    title: '',
    initialLocation: 'panel',
    responderUsername: 'GitHub Copilot',
    sessionId: `session-${seed}`,
    repoData: undefined as object | undefined,
    input,
    turns,
    queued,
    made: 0,
    inputModel: { toJSON: () => ({ ...input }) },
    getRequests: () => turns,
    getPendingRequests: () => queued,
  }
}

type Session = ReturnType<typeof newSession>

function edit(session: Session, upTo: (count: number) => number, step: number) {
  const { turns, queued, input } = session
  const last = turns.at(-1)
  const parts = last?.response.entireResponse.value
  const isOpen = last !== undefined && [0, 4].includes(last.response.stateT.value)
  switch (upTo(14)) {
    case 0:
    case 1:
      if (!isOpen) turns.push(newTurn(session, upTo))
      break
    case 2:
    case 3:
      if (isOpen) grow(parts!, upTo)
      break
    case 4:
    case 5:
      if (isOpen) parts!.push(newPart(session, upTo))
      break
    case 6:
      if (isOpen) parts!.length = upTo(parts!.length + 1)
      break
    case 7:
      if (isOpen) end(last, 1 + upTo(3), step)
      break
    case 8:
      if (isOpen) last.response.stateT = { value: upTo(2) * 4 }
      break
    case 9:
      session.hasCustomTitle = true
      session.title = `Title ${step} 🙂`
      break
    case 10:
      if (turns.length > 1) turns.splice(upTo(turns.length), turns.length, newTurn(session, upTo))
      break
    case 11:
      if (upTo(4) === 0) turns.length = upTo(turns.length + 1)
      else input.inputText = 'draft '.repeat(upTo(4))
      break
    case 12:
      if (upTo(2) === 0) queued.length = 0
      else queued.push({ request: newTurn(session, upTo), kind: 'queued', sendOptions: {} })
      break
    default:
      if (last) last.shouldBeRemovedOnSend = upTo(2) === 0 ? { requestId: last.id } : undefined
      if (upTo(3) === 0) session.repoData = { remoteUrl: 'https://x.org/r.git', localBranch: `b${step}` }
  }
}

function newTurn(session: Session, upTo: (count: number) => number): Turn {
  const number = ++session.made
  return {
    id: `request_${number}`,
    timestamp: 1_780_000_000_000 + number * 1000,
    message: { text: `Question ${number} – вопрос\n`, parts: [{ kind: 'text', text: `Question ${number}` }] },
    modelId: 'copilot/gpt-6',
    variableData: {
      variables: upTo(3) === 0 ? [{ kind: 'file', id: 'f', name: 'f.ts', value: '/f.ts' }] : [],
    },
    response: {
      id: `response_${number}`,
      agent: { id: 'github.copilot.editsAgent' },
      entireResponse: { value: [newPart(session, upTo)] },
      stateT: { value: 0 },
      contentReferences: [],
      codeCitations: [],
      timestamp: 1_780_000_000_000 + number * 1000,
    },
  }
}

function newPart(session: Session, upTo: (count: number) => number): Record<string, unknown> {
  const number = ++session.made
  switch (upTo(5)) {
    case 0:
      return { kind: 'thinking', value: `Thought ${number}`, id: `t${number}` }
    case 1:
      return {
        kind: 'toolInvocationSerialized',
        toolId: 'copilot_readFile',
        toolCallId: `call_${number}`,
        isComplete: true,
        invocationMessage: { value: `Reading ${number}` },
      }
    case 2:
      return {
        kind: 'inlineReference',
        name: `n${number}`,
        inlineReference: { scheme: 'file', path: '/p/n.ts' },
      }
    default:
      return { kind: 'markdownContent', content: { value: `Words ${number} ` } }
  }
}

function grow(parts: Record<string, unknown>[], upTo: (count: number) => number) {
  const at = upTo(parts.length)
  const part = parts[at]
  if (part?.kind === 'markdownContent')
    parts[at] = { ...part, content: { value: `${contentOf(part)}and more ` } }
  else if (part?.kind === 'thinking') parts[at] = { ...part, value: `${part.value} deeper` }
}

function contentOf(part: Record<string, unknown>): unknown {
  return (part.content as { value: unknown }).value
}

function end({ response }: Turn, value: number, step: number) {
  response.stateT = { value, completedAt: 1_790_000_000_000 + step }
  response.result = {
    timings: { totalElapsed: 100 + step },
    metadata: { toolCallRounds: [], cacheKey: 'file:///home/me/proj' },
    ...(value === 3 && { errorDetails: { message: 'No luck' } }),
  }
  response.followups = []
  response.elapsedMs = 90 + step
}
