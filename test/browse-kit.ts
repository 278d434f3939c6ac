import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { machine, recollect, root } from './run-cli.ts'
import { Terminal } from './terminal.ts'

export const UP = '\u001b[A'
export const DOWN = '\u001b[B'
export const RIGHT = '\u001b[C'
export const ESC = '\u001b'
export const CTRL = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96)

interface Setting {
  columns?: number
  rows?: number
  env?: Record<string, string>
  args?: string[]
  on?: { home: string; archive: string }
}

/** Of a file of tests: a machine with the sample chats, synced, and a browser on it. */
export function browserKit() {
  const alex = machine()
  const folder = path.dirname(alex.home)
  const work = path.join(folder, 'work')
  const programs = path.join(folder, 'bin')
  const copy = path.join(folder, 'copy')

  before(async () => {
    fs.cpSync(path.join(root, 'sample'), alex.home, { recursive: true })
    fs.mkdirSync(work)
    fs.mkdirSync(programs)
    assert.equal((await alex.run(['sync'])).code, 0)
    // While nobody has it open.
    fs.cpSync(alex.archive, copy, { recursive: true })
  })
  after(alex.remove)

  function browse(t: TestContext, { columns, rows, env, args = [], on = alex }: Setting = {}): Terminal {
    const terminal = new Terminal([process.execPath, recollect, ...args], {
      columns,
      rows,
      cwd: work,
      folder,
      env: {
        PATH: `${programs}${path.delimiter}${process.env.PATH}`,
        HOME: on.home,
        RECOLLECT_HOME: on.archive,
        TZ: 'UTC',
        ...env,
      },
    })
    t.after(() => terminal.close())
    return terminal
  }

  return { alex, folder, work, programs, copy, browse }
}

/** A machine of one test's own, with nothing on it. */
export function visitor(t: TestContext) {
  const on = machine()
  t.after(on.remove)
  return on
}

/** A chat as Claude Code writes it: requests and answers in turn. */
export function writeChat(home: string, name: string, texts: string[]): void {
  const sessionId = `${name}-0000-4000-8000-000000000000`
  const lines = texts.map((text, i) => ({
    type: i % 2 === 0 ? 'user' : 'assistant',
    uuid: `${name}-${i}`,
    parentUuid: i === 0 ? null : `${name}-${i - 1}`,
    isSidechain: false,
    sessionId,
    cwd: '/home/alex/sweets',
    version: '2.1.158',
    timestamp: new Date(Date.UTC(2026, 10, 1, 12, 0, i)).toISOString(),
    message:
      i % 2 === 0
        ? { role: 'user', content: text }
        : {
            id: `msg-${i}`,
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [{ type: 'text', text }],
          },
  }))
  const project = path.join(home, '.claude', 'projects', '-home-alex-sweets')
  fs.mkdirSync(project, { recursive: true })
  fs.writeFileSync(
    path.join(project, `${sessionId}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
}
