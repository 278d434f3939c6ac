import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { withReader } from '../source.ts'
import { machineAt, readMachine } from '../test-kit.ts'
import { claudeCode as described } from './index.ts'

const claudeCode = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const HOME = path.resolve('/home/me')
const machine = machineAt(HOME, { CLAUDE_CONFIG_DIR: FIXTURES })
const SHOP = '0b1f6c1e-0000-4000-8000-0000000000'
const BUSY = `${SHOP}a1`
const REWOUND = `${SHOP}b2`
const OLD = `${SHOP}c3`
const SPOKEN = `${SHOP}d4`
const BACKGROUND = `${SHOP}e1`
const ORIGINAL = `${SHOP}e2`
const COMPACTED = 'daad0b1a-87cd-4b33-b451-21c8d6cf7545'
const FORK = '3432c3f8-cf30-4411-a70e-7c7f0f745f56'
const PARENT = '62dcc458-072a-4fd6-a5cc-b3c53fe87cb5'
const AGENT = 'agent-a8a2631a7f5f65d2c'
const TYPED = 'a3b349d0-299c-4c75-b9c8-413969f84dd2'
const INTERRUPTED = '095cb89f-c343-47f3-a83c-fd455d3bf86b'

const all = readMachine(claudeCode, machine)

describe('Claude Code', () => {
  const EXPECTED: Record<string, string[]> = {
    '5c1d2cfb-11ff-4f33-8421-9738a9cfff59': [
      'user request: USETOOL say hello',
      'assistant answer: I will run a command. [Bash]',
      'tool tool: (hello-from-tool)',
      'assistant answer: All done: the answer is 42.',
    ],
    [PARENT]: [
      'user request: USETASK delegate',
      'assistant answer: I will run a command. [Agent]',
      'tool tool: ([Subagent hand-back])',
      'assistant answer: All done: the answer is 42.',
    ],
    [AGENT]: [
      'user delegated: USETOOL sub job',
      'assistant answer: I will run a command. [Bash]',
      'tool tool: (hello-from-tool)',
      'assistant answer: I will run a command. [Bash]',
      'tool tool: (hello-from-tool)',
      'assistant answer: All done: the answer is 42.',
    ],
    [TYPED]: [
      'user request: Please run the slow check.',
      'assistant answer: Running the slow check. [Bash]',
      'tool tool: (checked)',
      'user request: And also lint. (queued)',
      'assistant answer: Nothing to lint.',
      'user command: ! cat notes.txt',
      'user command: Remember the milk.',
      'assistant answer: Nothing to lint.',
      'system command: /context',
      'system command: Context Usage',
      'user injected: ## Context Usage',
      'user request: Take the wrong turn. undone',
      'assistant answer: Went the wrong way. undone',
      'user request: Take the right turn.',
      'assistant answer: Went the right way.',
    ],
    [INTERRUPTED]: [
      'user request: Start the long build.',
      'assistant answer: Building. [Bash]',
      "tool tool: (The user doesn't want to proceed with this tool use.)",
      'user notice: [Request interrupted by user for tool use] cancelled',
      'user request: Do the short build instead.',
      'assistant answer: Built the short way.',
    ],
    [COMPACTED]: [
      'user request: USETASK delegate',
      'assistant answer: I will run a command. [Agent]',
      'tool tool: (InputValidationError: [)',
      'assistant answer: All done: the answer is 42.',
      'user request: after resume',
      'assistant answer: All done: the answer is 42.',
      'system notice: Conversation compacted',
      'user summary: This session is being continued. Summary: the sub job was refused, then all was done.',
      'user injected: <local-command-caveat>About the command below.</local-command-caveat>',
      'user command: /compact keep it short',
      'user command: Compacted (ctrl+o to see full summary)',
    ],
    [FORK]: [
      'user request: USETASK delegate',
      'assistant answer: I will run a command. [Agent]',
      'tool tool: (InputValidationError: [)',
      'assistant answer: All done: the answer is 42.',
      'user request: after resume',
      'assistant answer: All done: the answer is 42.',
      'user request: in the fork',
      'assistant answer: All done: the answer is 42.',
    ],
    [BUSY]: [
      'user request: Why is the total wrong?',
      'assistant answer: Let me read them. [Read, stock/look_up]',
      'tool tool: (1\tlet cart)',
      'tool tool: (3 left)',
      'user request: also check the tax (queued)',
      'user injected: <task-notification>',
      'user delegated: The stock moved.',
      'assistant answer:  [Bash]',
      'tool tool: (Error: Exit code 2)',
      'assistant answer:  [Write]',
      'tool tool: (File created)',
      'assistant answer:  [WebSearch]',
      'tool tool: (Web search results)',
      'assistant answer: The rate is 19 %.',
      'user request: round to cents (queued)',
      'assistant answer: Rounded.',
      'user request: the tax code (/review)',
      'user command: Review the code thoroughly: the tax code',
      'assistant answer: Looks fine.',
      'system command: /model opus',
      'system command: Set model to opus',
      'user command: ! git status',
      'user command: clean',
      'user injected: Be brief.',
      'user injected: Your usage limit has reset. Continue.',
      'user request: now the shipping',
      'assistant notice: API Error: 529 Overloaded. failed',
      'user request: try again',
      'assistant answer:  [Edit]',
      "tool tool: (The user doesn't want to proceed with this tool use.)",
      'user notice: [Request interrupted by user for tool use] cancelled',
    ],
    [REWOUND]: [
      'user request: plan the shop',
      'assistant answer: A plan.',
      'user request: use red undone',
      'assistant answer: Red it is. [Edit] undone',
      'tool tool: (edited) undone',
      'user request: bigger undone',
      'assistant answer: Bigger. undone',
      'user request: use blue',
      'assistant answer: Blue it is.',
      'user request: smaler undone',
      'user request: smaller',
      'assistant answer: Smaller.',
    ],
    [OLD]: [
      'user request: find the slow query',
      'assistant answer: I will delegate. [Task]',
      'tool tool: (SELECT 1 is slow.)',
      'assistant answer: It is SELECT 1.',
      'user injected: Caveat: The messages below were generated by the user while running local commands. DO NOT respond to these messages.',
      'user command: /clear',
      'user request: thanks',
      'assistant answer: Welcome.',
      'user request: one more thing',
    ],
    [SPOKEN]: [
      'user request: Plan the checkout',
      'assistant answer: Looking. [Bash]',
      'tool tool: (cart.ts)',
      'user request: use the new cart (queued)',
      'assistant answer: Using the new cart. [Edit]',
      "tool tool: (The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:)",
      'user request: not in that file, (refusal)',
      'assistant answer:  [AskUserQuestion]',
      'tool tool: (User has answered your questions: "Which payment?"="Card", "Which currency?"="only euros, please". You can now continue with the user\'s answers in mind.)',
      'user request: Card (answer)',
      'assistant answer: Noted.',
      'user request: the checkout page (/workflows:plan)',
      'user command: # Plan a feature',
      'assistant answer: Working on it. [Bash]',
      'tool tool: (made)',
      'assistant answer: Planned.',
      'user request: also the footer (queued)',
      'assistant answer: Footer planned.',
      'user command: /usage',
      'user request: Try it',
      'assistant answer: Trying. [Bash]',
      'tool tool: (ok)',
      'assistant answer: First try. undone',
      'assistant answer: Second try.',
      'system command: /rename Checkout work',
      'user request: Show the log',
      'assistant answer:  [Bash]',
      'tool tool: (line 1)',
      'assistant answer: Read it.',
    ],
    [BACKGROUND]: [
      'user request: Watch the build',
      'assistant answer: Watching.',
      'assistant answer: Built.',
    ],
    [ORIGINAL]: ['user request: Watch the build', 'assistant answer: Watching.'],
    'agent-c3-005': [
      'user delegated: Search the logs for slow queries',
      'assistant answer:  [Read]',
      'tool tool: (SELECT 1 took 9s)',
      'assistant answer: SELECT 1 is slow.',
    ],
    'agent-1a2b3c4d': ['user delegated: Warm up the cache', 'assistant answer: Warm.'],
    'agent-w9': ['user delegated: Step one of the workflow'],
  }

  for (const [chat, lines] of Object.entries(EXPECTED)) {
    test(`tells who said what in ${chat}`, () => {
      assert.deepEqual(all.messages[chat]?.map(line), lines)
    })
  }

  test('finds these chats and no others', () => {
    assert.deepEqual(all.chats.map(({ id }) => id).sort(), Object.keys(EXPECTED).sort())
  })

  test('reports lines that are no records, and goes on', () => {
    assert.deepEqual(
      all.problems.map(({ reason }) => reason),
      ['not valid JSON'],
    )
  })

  test('tells about a session', () => {
    assert.deepEqual(chat(BUSY), {
      source: 'claude-code',
      id: BUSY,
      title: 'Cart totals',
      workspace: '/home/me/shop',
      repository: 'me/shop',
      branch: 'main',
      createdAt: Date.parse('2026-05-28T20:26:42Z'),
      updatedAt: Date.parse('2026-05-28T20:27:18Z'),
      resume: `claude --resume ${BUSY}`,
      status: 'cancelled',
      format: '2.1.200',
    })
    assert.equal(chat(REWOUND)?.forkOf, BUSY)
    assert.equal(chat(OLD)?.title, 'Find the slow query')
    assert.equal(chat(FORK)?.title, undefined)
  })

  test('tells about sub-agents: in files of their own, beside the session, within its file', () => {
    const { title, parentId, subagent, resume, status, format } = chat(AGENT)!
    assert.deepEqual(
      [title, parentId, subagent, resume, status, format],
      ['Sub job', PARENT, true, undefined, 'done', '2.1.325'],
    )
    assert.deepEqual([chat('agent-c3-005')?.title, chat('agent-c3-005')?.parentId], ['Search logs', OLD])
    assert.deepEqual([chat('agent-1a2b3c4d')?.title, chat('agent-1a2b3c4d')?.parentId], [undefined, OLD])
    assert.deepEqual([chat('agent-w9')?.title, chat('agent-w9')?.parentId], ['First step', OLD])
  })

  test('merges the lines of one answer and counts its tokens once', () => {
    const answer = all.messages[BUSY]![1]!
    assert.equal(answer.id, 'msg_1')
    assert.equal(answer.thinking, 'Look at both files.')
    assert.equal(answer.model, 'claude-sonnet-5-5')
    assert.deepEqual(answer.usage, { input: 125, output: 42, cached: 100, cacheWrite: 20 })
    assert.deepEqual(answer.toolCalls?.[1], {
      id: 't2',
      server: 'stock',
      tool: 'look_up',
      args: { sku: 'A-1' },
    })
    const [request, delegating, , old] = all.messages[OLD]!
    assert.deepEqual(delegating?.usage, { input: 4, output: 1, cost: 0.01 })
    assert.equal(old?.text, 'It is SELECT 1.\n\nAdd an index.')
    assert.deepEqual(old?.usage, { input: 4, output: 9 })
    assert.equal(old?.latencyMs, old!.createdAt! + 1000 - request!.createdAt!)
  })

  test('keeps what was attached, touched, cited and how commands ended', () => {
    const busy = all.messages[BUSY]!
    assert.deepEqual(busy[0]?.attachments, [
      { name: 'cart.ts', type: 'file', path: '/home/me/shop/src/cart.ts' },
      {
        name: 'total.ts',
        type: 'selection',
        path: '/home/me/shop/src/total.ts',
        text: 'let total = 0\nadd(total)',
      },
      { name: 'image', type: 'image', mimeType: 'image/png', bytes: 8, data: 'iVBORw0KGgo=' },
    ])
    assert.deepEqual(busy[2]?.files, [{ path: '/home/me/shop/src/cart.ts', action: 'read' }])
    assert.deepEqual(busy[3]?.attachments, [
      { name: 'image', type: 'image', mimeType: 'image/jpeg', bytes: 3, data: 'AAAA' },
    ])
    assert.deepEqual(busy[8]?.toolResults, [
      { callId: 't3', text: 'Error: Exit code 2\nfailing: tax', error: 'Error: Exit code 2', exitCode: 2 },
    ])
    assert.deepEqual(busy[10]?.files, [{ path: '/home/me/shop/src/tax.ts', action: 'create' }])
    assert.deepEqual(busy[12]?.citations, [{ url: 'https://example.org/vat', title: 'VAT' }])
    assert.deepEqual(busy[13]?.citations, [
      { url: 'https://example.org/vat', title: 'VAT', text: 'nineteen' },
    ])
    assert.equal(busy[29]?.files, undefined, 'a refused edit touches nothing')
    assert.equal(all.messages['5c1d2cfb-11ff-4f33-8421-9738a9cfff59']![2]?.toolResults?.[0]?.exitCode, 0)
  })

  test('keeps all words that were said to a call, and the output that was moved beside', () => {
    const spoken = all.messages[SPOKEN]!
    const texts = (via: string) => spoken.filter((message) => message.via === via).map(({ text }) => text)
    assert.deepEqual(texts('refusal'), ['not in that file,\nin checkout.ts'])
    assert.deepEqual(texts('answer'), ['Card\nonly euros, please'])
    assert.deepEqual(texts('/workflows:plan'), ['the checkout page\nwith tests'])
    const log = spoken.at(-2)?.toolResults?.[0]
    assert.equal(log?.text, 'line 1\nline 2\nthe end of the log\n')
    assert.equal(spoken.at(-3)?.usage?.searches, 2)
    assert.equal(chat(SPOKEN)?.title, 'Checkout work')
  })

  test('a copy for the background comes from the session it was made of, whichever is read first', () => {
    assert.equal(chat(BACKGROUND)?.forkOf, ORIGINAL)
    assert.equal(chat(ORIGINAL)?.forkOf, undefined)
    assert.deepEqual([chat(BACKGROUND)?.background, chat(ORIGINAL)?.background], [true, undefined])
  })

  test('a call leads to the chat of the sub-agent that it started', () => {
    assert.equal(all.messages[PARENT]![2]?.toolResults?.[0]?.chat, AGENT)
  })

  test('gives the messages of a fork the ids they had', () => {
    const shared = all.messages[FORK]!.slice(0, 6).map(({ id }) => id)
    assert.deepEqual(
      shared,
      all.messages[COMPACTED]!.slice(0, 6).map(({ id }) => id),
    )
  })
})

function chat(id: string) {
  return all.chats.find((chat) => chat.id === id)
}

function line({ role, kind, via, text, toolCalls, toolResults, undone, outcome }: Message): string {
  const calls = toolCalls?.map(({ server, tool }) => (server ? `${server}/${tool}` : tool)).join(', ')
  const results = toolResults?.map((result) => (result.text ?? result.error)?.split('\n')[0]).join(', ')
  const shown = [
    kind === 'tool' ? `(${results})` : text.split('\n')[0],
    via && `(${via})`,
    calls && `[${calls}]`,
    outcome,
    undone && 'undone',
  ]
  return `${role} ${kind}: ${shown.filter((part) => part !== undefined && part !== false).join(' ')}`
}
