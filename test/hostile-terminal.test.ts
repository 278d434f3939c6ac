import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { machine, recollect } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

/** Each would do something to a terminal: set its title, write to the clipboard, colour, move, ring, turn around. */
const EVIL = [
  '\u001b]0;pwned\u0007',
  '\u001b]52;c;cHduZWQ=\u0007',
  '\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u001b[5;45m',
  '\u001b[2J\u001b[H',
  '\u001bP+q544e\u001b\\',
  '\u001bc',
  '\u009b35m',
  '\u009d0;pwned\u009c',
  '\u0007\u0008\u000e',
  '\u202egnp.exe\u202c',
  '\u2066x\u2069\u200f\u061c',
  '\r',
].join('x')
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
/** What is ours: bold, dim and the colours, a cleared line, and what the terminal itself makes of an end of line. */
const OURS = /\u001b\[(?:1|2|22|31|32|33|36|39)m|\r\u001b\[2?K|\r(?=\n)/g

const alex = machine()
const chat = '5a5a5a5a-0000-4000-8000-000000000001'
const folder = path.join(alex.home, 'evil\u001b]0;folder\u0007\u202e')
const env = { HOME: alex.home, USERPROFILE: alex.home, RECOLLECT_HOME: alex.archive }

before(async () => {
  fs.mkdirSync(path.join(folder, '.git'), { recursive: true })
  fs.writeFileSync(
    path.join(folder, 'context.md'),
    `# Notes\n\n## 2026-01-01 10:00 — ${EVIL}\n\nneedle ${EVIL}\n`,
  )
  const at = path.join(alex.home, '.claude', 'projects', '-evil\u001b]0;dir\u0007')
  fs.mkdirSync(at, { recursive: true })
  const common = {
    sessionId: chat,
    cwd: folder,
    gitBranch: `main${EVIL}`,
    version: `2.1${EVIL}`,
    isSidechain: false,
  }
  const lines = [
    { type: 'ai-title', aiTitle: `Title ${EVIL} needle`, sessionId: chat },
    {
      ...common,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      timestamp: '2026-05-01T10:00:00.000Z',
      message: { role: 'user', content: `needle ${EVIL} in https://example.com/${encodeURIComponent(EVIL)}` },
    },
    {
      ...common,
      type: 'assistant',
      uuid: 'a1',
      parentUuid: 'u1',
      timestamp: '2026-05-01T10:00:05.000Z',
      requestId: 'r1',
      message: {
        id: 'm1',
        role: 'assistant',
        model: `claude${EVIL}`,
        content: [
          { type: 'thinking', thinking: `hm ${EVIL}` },
          { type: 'text', text: `needle ${EVIL}\n\n\`\`\`sh\nrm ${EVIL}\n\`\`\`` },
          { type: 'tool_use', id: 't1', name: 'Bash', input: { command: `ls ${EVIL}`, description: EVIL } },
          {
            type: 'tool_use',
            id: 't2',
            name: `Edit${EVIL}`,
            input: { file_path: `${folder}/a${EVIL}.ts`, old_string: EVIL, new_string: 'b' },
          },
        ],
        usage: { input_tokens: 3, output_tokens: 5 },
      },
    },
    {
      ...common,
      type: 'user',
      uuid: 'u2',
      parentUuid: 'a1',
      timestamp: '2026-05-01T10:00:06.000Z',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: `needle ${EVIL}`, is_error: true }],
      },
      toolUseResult: { stdout: EVIL, stderr: '' },
    },
  ]
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  fs.writeFileSync(path.join(at, `${chat}.jsonl`), `${text}\n{"type":"user","broken ${EVIL}\n`)
  fs.writeFileSync(path.join(alex.home, `export${'\u001b]0;file\u0007'}.json`), `{"what": ${EVIL}`)
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(() => alex.remove())

const COMMANDS: string[][] = [
  ['sync'],
  ['list'],
  ['list', '--workspace', EVIL.replaceAll('\u0000', '')],
  ['search', 'needle'],
  ['search', EVIL],
  ['show', chat],
  ['show', chat, '--tools', '--thinking'],
  ['show', `none${EVIL}`],
  ['tree', chat],
  ['resume', chat],
  ['requests', chat],
  ['requests', chat, '1'],
  ['gather', chat],
  ['evidence', chat],
  ['metrics'],
  ['metrics', '--by', 'model'],
  ['metrics', '--by', 'workspace'],
  ['metrics', '--by', 'tool'],
  ['resolve', chat.slice(0, 6)],
  ['resolve', EVIL],
  ['status'],
  ['sources'],
  ['doctor'],
  ['doctor', '--coverage'],
  ['paths'],
  ['context', 'read', '--workspace', folder],
  ['context', 'summary', '--workspace', folder],
  ['context', 'check', '--workspace', folder],
  ['token', 'create', `name${EVIL}`],
  ['token', 'list'],
  ['import', path.join(alex.home, `export${'\u001b]0;file\u0007'}.json`)],
  ['forget', `none${EVIL}`],
  ['no-such-command', EVIL],
  ['mcp-servers', 'list'],
]

for (const args of COMMANDS)
  test(`${args
    .join(' ')
    .replaceAll(/[^ -~]/g, '')
    .slice(0, 60)}: nothing of it reaches the terminal`, async () => {
    for (const more of [[], ['--json']]) {
      const { out, err } = await alex.run([...args, ...more], { env: { FORCE_COLOR: '1' } })
      for (const text of [out, err]) {
        const left = text.replaceAll(OURS, '')
        const found = RAW.exec(left)
        assert.equal(
          found,
          null,
          `${more} ${JSON.stringify(left.slice(Math.max(0, (found?.index ?? 0) - 60), (found?.index ?? 0) + 60))}`,
        )
      }
      assert.ok(out + err, 'something is said')
    }
  })

test('JSON says the same, spelled out', async () => {
  const { out } = await alex.run(['list', '--json'])
  assert.ok(out.includes('\\u202e'))
  const { chats } = JSON.parse(out)
  assert.equal(chats[0].workspace ?? chats[0].cwd, folder)
})

test('an export into a pipe has every byte', async () => {
  const { out } = await alex.run(['export', chat, '--format', 'markdown'])
  assert.ok(out.includes('\u001b]0;pwned\u0007'))
})

describe('on a terminal', { skip: noTerminal() }, () => {
  const shown = async (
    args: string[],
    act?: (terminal: Terminal) => Promise<void>,
    { pager = 'cat', rows = 24 } = {},
  ) => {
    const notes = fs.mkdtempSync(path.join(alex.home, 'notes-'))
    const terminal = new Terminal([process.execPath, recollect, ...args], {
      cwd: alex.home,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', PAGER: pager, ...env },
      folder: notes,
      rows,
    })
    await act?.(terminal)
    await terminal.ended()
    return terminal
  }
  for (const args of [
    ['export', chat],
    ['export', chat, '--format', 'json'],
    ['show', chat, '--tools'],
    ['list'],
    ['search', 'needle'],
    ['sync'],
  ])
    test(`${args[0]} ${args[3] ?? ''}`, async () => {
      const { written, title } = await shown(args)
      assert.equal(title, '')
      const left = written.replaceAll(OURS, '')
      assert.doesNotMatch(left, RAW, JSON.stringify(left.slice(0, 300)))
    })

  test('a pager that is not there takes no text with it', async () => {
    const { written } = await shown(['show', chat], undefined, { pager: 'no-such-pager', rows: 3 })
    assert.match(written, /no-such-pager[\s\S]*needle/)
  })

  test('the browser: a list and a chat', async () => {
    const terminal = await shown(['browse', '--no-sync'], async (open) => {
      await open.shows(/needle/)
      open.type('\r')
      await open.shows(/You|Bash|needle/)
      open.type('\u0003')
    })
    for (const piece of [
      '\u001b]0;',
      '\u001b]8',
      '\u001b[5;45m',
      '\u001bP',
      '\u009b',
      '\u009d',
      '\u202e',
      '\u2066',
    ])
      assert.ok(!terminal.written.includes(piece), JSON.stringify(piece))
  })
})
