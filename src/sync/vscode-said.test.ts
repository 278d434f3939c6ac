import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { withReader } from '../sources/source.ts'
import { gather, lineEnds, machineAt } from '../sources/test-kit.ts'
import { vscode as described } from '../sources/vscode/index.ts'
import { syncOnce } from './once.ts'

const vscode = await withReader(described)

/** Everything a person says in VS Code, however it gets to the assistant, and the same whenever it is read. */

let home: string
before(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-said-'))
})
after(() => fs.rmSync(home, { recursive: true, force: true }))

const ID = '5a1d0000-0000-4000-8000-000000000001'
const turn = (id: string, text: string, more: object = {}) => ({
  requestId: `request_${id}`,
  responseId: `response_${id}`,
  timestamp: 1_780_000_000_000 + Number(id) * 60_000,
  message: { text },
  response: [{ value: `Answer ${id}.` }],
  modelState: { value: 1, completedAt: 1_780_000_030_000 + Number(id) * 60_000 },
  ...more,
})
const waiting = (id: string, text: string, kind = 'queued') => ({
  id: `request_${id}`,
  kind,
  request: { requestId: `request_${id}`, timestamp: 1_780_000_000_000, message: { text } },
  sendOptions: {},
})
const begin = (...requests: object[]) => ({
  kind: 0,
  v: { version: 3, sessionId: ID, creationDate: 1_780_000_000_000, requests, pendingRequests: [] },
})
const queue = (...items: object[]) => ({ kind: 2, k: ['pendingRequests'], v: items })
const unqueue = { kind: 2, k: ['pendingRequests'], i: 0 }
const push = (...requests: object[]) => ({ kind: 2, k: ['requests'], v: requests })
const RUNNING = { modelState: { value: 0 } }
const DONE = { kind: 1, k: ['requests', 0, 'modelState'], v: { value: 1, completedAt: 1_780_000_090_000 } }

const cases: { what: string; log: object[]; told: string[] }[] = [
  {
    what: 'a request that waits in the queue is told when it is sent',
    log: [begin(turn('1', 'Build it', RUNNING)), queue(waiting('7', 'and test it'))],
    told: ['request: Build it', 'answer: Answer 1.'],
  },
  {
    what: 'one that came out of the queue is told once, as its turn',
    log: [
      begin(turn('1', 'Build it', RUNNING)),
      queue(waiting('7', 'and test it')),
      DONE,
      push(turn('2', 'and test it')),
      unqueue,
    ],
    told: ['request: Build it', 'answer: Answer 1.', 'request via queued: and test it', 'answer: Answer 2.'],
  },
  {
    what: 'several steering requests become one turn',
    log: [
      begin(turn('1', 'Build it', RUNNING)),
      queue(waiting('7', 'in Rust', 'steering'), waiting('8', 'with tests', 'steering')),
      DONE,
      push(turn('2', 'in Rust\n\nwith tests')),
      unqueue,
    ],
    told: [
      'request: Build it',
      'answer: Answer 1.',
      'request via queued: in Rust\n\nwith tests',
      'answer: Answer 2.',
    ],
  },
  {
    what: 'one that was taken off the queue again was not said',
    log: [begin(turn('1', 'Build it', RUNNING)), queue(waiting('7', 'and test it')), unqueue, DONE],
    told: ['request: Build it', 'answer: Answer 1.'],
  },
  {
    what: 'an edited turn, and those that went with it',
    log: [
      begin(turn('1', 'Build it'), turn('2', 'Now in Rust'), turn('3', 'Ship it')),
      { kind: 2, k: ['requests'], i: 1, v: [turn('4', 'Now in Go')] },
      push(turn('5', 'Ship that')),
    ],
    told: [
      'request: Build it',
      'answer: Answer 1.',
      'request undone: Now in Rust',
      'answer undone: Answer 2.',
      'request undone: Ship it',
      'answer undone: Answer 3.',
      'request: Now in Go',
      'answer: Answer 4.',
      'request: Ship that',
      'answer: Answer 5.',
    ],
  },
  {
    what: 'the only turn, sent again',
    log: [begin(turn('1', 'Biuld it')), { kind: 2, k: ['requests'], i: 0, v: [turn('2', 'Build it')] }],
    told: ['request undone: Biuld it', 'answer undone: Answer 1.', 'request: Build it', 'answer: Answer 2.'],
  },
  {
    what: 'an answer that was begun and emptied',
    log: [begin(turn('1', 'Build it', RUNNING)), { kind: 2, k: ['requests', 0, 'response'], i: 0 }],
    told: ['request: Build it', 'answer undone: Answer 1.'],
  },
  {
    what: 'a session that VS Code emptied and went on with',
    log: [begin(turn('1', 'Build it')), begin(), push(turn('2', 'Where is it?'))],
    told: ['request: Build it', 'answer: Answer 1.', 'request: Where is it?', 'answer: Answer 2.'],
  },
  {
    what: 'slash commands: the words behind one, one of a participant, one alone, a prompt file, a path',
    log: [
      begin(
        turn('1', '/fix the parser', { slashCommand: { name: 'fix' } }),
        turn('2', '@workspace /explain how it starts', { slashCommand: { name: 'explain' } }),
        turn('3', '@workspace /explain', { slashCommand: { name: 'explain' } }),
        turn('4', '/release to staging', {
          message: { text: '/release to staging', parts: [{ kind: 'prompt', name: 'release' }] },
        }),
        turn('5', '/home/me is full'),
        turn('6', '@labecho hello'),
      ),
    ],
    told: [
      'request via /fix: the parser',
      'request via /explain: @workspace how it starts',
      'command: @workspace /explain',
      'request via /release: to staging',
      'request: /home/me is full',
      'request: @labecho hello',
    ],
  },
  {
    what: 'answers to questions, forms and plans',
    log: [
      begin(
        turn('1', 'Move the store', {
          response: [
            {
              kind: 'questionCarousel',
              questions: [{ id: 'q', title: 'Which version?' }],
              data: { q: { selectedValue: '16', freeformValue: 'the newest' } },
            },
            { kind: 'questionCarousel', questions: [{ id: 'q', title: 'Unanswered?' }] },
            {
              kind: 'planReview',
              title: 'Plan',
              content: '1. Move',
              data: { rejected: true, feedback: 'keep SQLite' },
            },
            { kind: 'planReview', title: 'Plan', content: '1. Move', data: { action: 'Start' } },
            { kind: 'elicitationSerialized', title: 'Name', acceptedResult: { name: 'shop' } },
          ],
        }),
      ),
    ],
    told: [
      'request: Move the store',
      'answer: Which version?\n> 16, the newest\n\nUnanswered?\n\nPlan\n1. Move\n> rejected\n> keep SQLite\n\nPlan\n1. Move\n> Start\n\nName\n> {"name":"shop"}',
      'request via answer: 16, the newest',
      'request via refusal: keep SQLite',
      'request via answer: shop',
    ],
  },
]

for (const { what, log, told } of cases) {
  const text = log.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  test(what, () => {
    const file = place(text)
    const reading = gather(
      vscode.read(
        vscode.unit(`workspaceStorage/ws/chatSessions/${ID}.jsonl`, userRoot())!,
        undefined,
        machineAt(home),
      ),
    )
    const shown = reading.messages[ID]!.filter(({ kind, role }) =>
      what.startsWith('slash') ? role === 'user' : kind,
    )
    assert.deepEqual(shown.map(inWords), told)
    fs.rmSync(file)
  })

  test(`${what}: the archive holds the same after every prefix as after one reading`, async () => {
    const ends = lineEnds(Buffer.from(text))
    const middles = ends.map((end) => end - 5)
    const stepwise = await archived(
      'stepwise',
      [...ends, ...middles].sort((a, b) => a - b).map((end) => text.slice(0, end)),
    )
    assert.deepEqual(stepwise, await archived('once', [text]))
  })
}

test('a folder that only its name is known of', () => {
  const file = place(`${JSON.stringify(begin(turn('1', 'Build it')))}\n`)
  fs.writeFileSync(path.join(path.dirname(file), '..', 'meta.json'), '{"id":"ws","name":"todo-app"}')
  const unit = vscode.unit(`workspaceStorage/ws/chatSessions/${ID}.jsonl`, userRoot())!
  assert.equal(gather(vscode.read(unit, undefined, machineAt(home))).chats[0]!.workspace, 'todo-app')
  fs.rmSync(file)
})

function userRoot() {
  return { path: path.join(home, '.config', 'Code', 'User') }
}

function place(text: string): string {
  const file = path.join(userRoot().path, 'workspaceStorage', 'ws', 'chatSessions', `${ID}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  return file
}

function inWords({
  kind,
  undone,
  via,
  text,
}: {
  kind: string
  undone?: boolean
  via?: string
  text: string
}): string {
  return `${kind}${undone ? ' undone' : ''}${via ? ` via ${via}` : ''}: ${text}`
}

/** What an archive holds after the file was each of these, one after the other. */
async function archived(name: string, contents: string[]): Promise<string[]> {
  const archive = openSqliteArchive(path.join(home, `archive-${name}-${Math.random()}`))
  const machine = machineAt(home)
  let file = ''
  try {
    for (const content of contents) {
      if (file) fs.writeFileSync(file, content)
      else file = place(content)
      await syncOnce({ archive, sources: [vscode], machine })
    }
    const chat = await archive.resolveChat(ID)
    const told = await archive.messages(chat)
    return [
      `${chat.title} ${chat.requestCount}`,
      ...told.map((message) => `${message.id} ${inWords(message)}`),
    ]
  } finally {
    fs.rmSync(file)
    await archive.close()
  }
}
