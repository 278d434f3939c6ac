import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Command } from 'commander'
import { capabilities } from '../src/capabilities/index.ts'
import { program } from '../src/cli/program.ts'
import { RecollectError } from '../src/model/errors.ts'
import { SCOPES } from '../src/platform/scopes.ts'
import { type Bench, bench, say } from '../src/recall/test-kit.ts'
import type { Caller } from '../src/service/caller.ts'
import { failureOf } from '../src/service/failure.ts'
import { call, type Service } from '../src/service/service.ts'
import { serviceAt } from '../src/service/test-service.ts'
import { COMMANDS } from '../src/service/wording.ts'

/** What to do next is said in the words of who asked: commands for people, tools for agents and programs. */

const root = path.join(import.meta.dirname, '..')
const CALLERS: Caller[] = [
  { kind: 'owner' },
  { kind: 'agent', budget: 10_000 },
  { kind: 'program', scopes: SCOPES },
]
const TOOL = new RegExp(`\\b(?:${capabilities.map(({ name }) => name).join('|')})\\b`)
/** Arguments that are called otherwise on the command line. */
const ARGUMENT = /\b(?:time_window|chatIds|max_chars|nextCursor|sessionId|chatIdPrefix|dateFrom)\b/

function check(hint: string | undefined, { kind }: Caller, of: string): void {
  if (hint === undefined) return
  const said = `${of}, to ${kind}: ${hint}`
  assert.notEqual(hint.trim(), '', said)
  if (kind === 'owner') {
    assert.doesNotMatch(hint, TOOL, said)
    assert.doesNotMatch(hint, ARGUMENT, said)
  } else assert.doesNotMatch(hint, /\brecollect [a-z]|(?:^|\s)--[a-z]/, said)
}

test('every tool has a command to be called by where people read its name, and the command exists', () => {
  const namesIn = ({ commands }: Command) => commands.map((each) => each.name())
  const cli = program()
  const context = cli.commands.find((each) => each.name() === 'context')!
  const commands = new Set([...namesIn(cli), ...namesIn(context).map((name) => `context ${name}`)])
  assert.deepEqual(Object.keys(COMMANDS).toSorted(), capabilities.map(({ name }) => name).toSorted())
  for (const command of Object.values(COMMANDS)) {
    const name = command.replace(/^recollect /, '').replace(/ --.*/, '')
    assert.ok(commands.has(name), command)
  }
})

test('every hint written in the rooms behind the gate reads right for each kind of caller', () => {
  let hints = 0
  for (const file of fs.globSync('src/{archive,recall,search,context,capabilities,service,model}/**/*.ts', {
    cwd: root,
  })) {
    if (/\.test\.ts$|test-kit|fixtures/.test(file)) continue
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    for (const [code = '', , given = ''] of errorsIn(text)) {
      for (const hint of stringsIn(given, text)) {
        hints++
        for (const caller of CALLERS) {
          const failure = failureOf(new RecollectError(code, 'It failed.', hint), caller)
          check(failure.hint, caller, `${file} ${code}`)
        }
      }
    }
  }
  assert.ok(hints > 50, String(hints))
})

test('what nobody expected has a hint for each kind of caller', () => {
  const busy = Object.assign(new Error('database is locked'), { errcode: 5 })
  for (const caller of CALLERS) {
    for (const error of [new Error('boom'), busy]) {
      const { hint } = failureOf(error, caller)
      assert.ok(hint)
      check(hint, caller, error.message)
    }
  }
})

let at: Bench
let service: Service
before(async () => {
  at = bench()
  await at.write({ id: 'chat-one-0001', source: 'zed' }, [say(0, 'pool of connections'), say(1, 'more')])
  await at.write({ id: 'chat-one-0002' }, [say(0, 'pool of threads'), say(1, 'more')])
  service = serviceAt(at)
})
after(() => at.close())

/** What can go wrong in a call, for every capability. */
function wrongCalls(): [name: string, given: unknown][] {
  const nowhere = path.join(at.folder, 'nowhere')
  const filters = [
    { source: 'nope' },
    { time_window: { start: '2026-05-02', end: '2026-05-01' } },
    { time_window: '2026-02-31' },
    { time_window: 5 },
  ]
  const chats = [
    { chatIds: ['zz'] },
    { chatIds: ['zzzzzzzz'] },
    { chatIds: ['chat-one'] },
    {},
    { chatIds: 5 },
  ]
  const places = [{ workspace: at.folder }, { workspace: nowhere }]
  const sessions = [{ sessionId: 'zz' }, { sessionId: 'zzzzzzzz' }, {}, { sessionId: 7 }]
  const each = (name: string, given: object[]) => given.map((input): [string, unknown] => [name, input])
  return [
    ...each('gather_chats', [...chats, { chatIds: ['chat-one-0001'], cursor: '?' }]),
    ...each('collect_evidence', [...chats, ...filters, { chatIds: ['chat-one-0001'], cursor: '?' }]),
    ...each('usage_metrics', [{ chatIds: ['zzzzzzzz'] }, ...filters, { group_by: 'moon' }]),
    ...each('export_chats', [
      { chatIds: ['zzzzzzzz'], format: 'markdown' },
      { format: 'markdown' },
      { format: 'pdf' },
      { query: 'pool', format: 'markdown', redact: false },
      { query: 'pool', format: 'markdown', path: path.join(nowhere, 'x.md') },
      { query: 'pool', format: 'markdown', path: path.join(at.folder, 'x.json') },
      { query: 'pool', format: 'markdown', path: at.folder },
      { query: 'pool', format: 'markdown', path: path.join(at.folder, 'mine.md') },
      { query: 'nothing has these words', format: 'markdown' },
    ]),
    ...each('search_conversations', [{}, { query: '' }, { query: '?!' }, { regex: '(' }, ...filters]),
    ...each('list_chats', [...filters, { cursor: '?' }, { sort: 'colour' }]),
    ...each('resolve_ids', [{}, { chatIdPrefix: 'c' }]),
    ...each('get_request', [...sessions, { index: 0 }, { sessionId: 'chat-one-0001', index: 99 }]),
    ...each('list_requests', [...sessions, { from: -1 }]),
    ...each('get_first_request', sessions),
    ...each('read_context', [...places, { lastSessions: -1 }]),
    ...each('get_context_summary', places),
    ...each('append_context', [...places.map((place) => ({ ...place, content: 'x' })), { content: ' ' }]),
    ...each('archive_context', places),
    ...each('export_conversation', [
      ...places.map((place) => ({ ...place, sessionId: 'chat-one-0001' })),
      { sessionId: 'zzzzzzzz' },
      { sessionId: 'current' },
    ]),
    ...each('get_resume_command', [...places, { sessionId: 'chat-one-0001' }, { sessionId: 'zzzzzzzz' }]),
    ...each('export_to_memory', [...places, { ...places[0], target: 'nope' }]),
    ...each('import_from_memory', [...places, { ...places[0], from: 'agents-md' }]),
    ...each('init_context', [{ workspace: nowhere }, { workspace: path.join(at.folder, 'begun') }]),
    ...each('unheard_of', [{}]),
    ...capabilities.flatMap(({ name }) => each(name, [[] as object, 'text' as unknown as object])),
  ]
}

test('every failing call has a hint in the words of who made it', async () => {
  fs.writeFileSync(path.join(at.folder, 'mine.md'), 'mine')
  fs.mkdirSync(path.join(at.folder, 'begun'), { recursive: true })
  fs.writeFileSync(path.join(at.folder, 'begun', 'context.md'), '# Begun\n')
  const failed = new Set<string>()
  for (const known of CALLERS) {
    const caller = { ...known, roots: [at.folder] }
    for (const [name, given] of wrongCalls()) {
      const { answer, failure } = await call(service, name, given, caller)
      if (failure) failed.add(name)
      const hint = failure?.hint ?? (answer as { hint?: string } | undefined)?.hint
      check(hint, caller, `${name} ${JSON.stringify(given)} ${failure?.message}`)
      if (failure && failure.code !== 'INVALID_INPUT')
        assert.ok(hint, `${name} ${JSON.stringify(given)} ${failure.code} ${failure.message} has none`)
    }
  }
  for (const { name } of capabilities) assert.ok(failed.has(name), `${name} never failed`)
})

/** The arguments of every error that is made in a text. */
function errorsIn(text: string): string[][] {
  return [...text.matchAll(/new RecollectError\(/g)].map(({ index, 0: begin }) => {
    const args = ['']
    let depth = 0
    let quote = ''
    for (let i = index + begin.length; i < text.length; i++) {
      const sign = text[i]!
      const isEscape = sign === '\\'
      if (quote) {
        args[args.length - 1] += isEscape ? sign + text[++i]! : sign
        if (sign === quote) quote = ''
        continue
      }
      if (/['"`]/.test(sign)) quote = sign
      if (/[([{]/.test(sign)) depth++
      if (/[)\]}]/.test(sign) && depth-- === 0) break
      if (sign === ',' && depth === 0) args.push('')
      else args[args.length - 1] += sign
    }
    return args.map((each) => each.trim())
  })
}

/** The texts that an expression may be: its literals, and those of the constant that it names. */
function stringsIn(expression: string, text: string): string[] {
  const named = /^[A-Z_]+$/.test(expression)
    ? new RegExp(`const ${expression}\\b[^=]*=\\s*([^;]*?)\\n\\n`).exec(text)?.[1]
    : undefined
  return [...(named ?? expression).matchAll(/'((?:[^'\\]|\\.)+)'|`((?:[^`\\]|\\.)+)`/g)].map(
    ([, plain, template]) => (plain ?? template!).replaceAll('\\`', '`').replaceAll(/\$\{[^}]*\}/g, 'x'),
  )
}
