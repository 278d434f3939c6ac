import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { capabilities } from '../capabilities/index.ts'
import type { Machine } from '../platform/machine.ts'
import { SCOPES } from '../platform/scopes.ts'
import { withLinks } from '../platform/test-links.ts'
import { sources } from '../sources/index.ts'
import { syncOnce } from '../sync/once.ts'
import type { Caller } from './caller.ts'
import { call, type Service } from './service.ts'

const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-places-')))
const home = path.join(base, 'home')
const shop = path.join(home, 'shop')
const other = path.join(home, 'other')
const records = path.join(base, 'archive')
const machine: Machine = { platform: 'linux', home, env: { RECOLLECT_HOME: records } }
let archive: Archive
let service: Service

before(async () => {
  fs.cpSync(path.join(import.meta.dirname, '../../sample'), home, { recursive: true })
  archive = openSqliteArchive(records)
  await syncOnce({ archive, sources, machine })
  service = {
    archive,
    env: machine.env,
    readable: async () => ({ sources, machine }),
    capabilities: async () => capabilities,
    syncing: () => undefined,
  }
})
after(async () => {
  await archive.close()
  fs.rmSync(base, { recursive: true, force: true })
})
beforeEach(() => {
  for (const folder of [shop, other, path.join(home, '.codex')])
    fs.rmSync(folder, { recursive: true, force: true })
  for (const folder of [path.join(shop, '.git'), path.join(other, '.git'), path.join(home, '.codex')])
    fs.mkdirSync(folder, { recursive: true })
  for (const folder of [shop, other]) fs.writeFileSync(path.join(folder, 'context.md'), '# Notes\n')
  fs.writeFileSync(path.join(other, 'AGENTS.md'), 'theirs\n')
})

const CALLERS: [who: string, caller: (roots: string[]) => Caller][] = [
  ['an agent', (roots) => ({ kind: 'agent', client: 'test', roots })],
  ['a program', (roots) => ({ kind: 'program', client: 'test', scopes: SCOPES, roots })],
]

/** The acts that write: how they are called so that this folder or file is written. */
const WRITING: [name: string, inFolder: (folder: string) => object][] = [
  ['append_context', (workspace) => ({ workspace, content: 'Done.' })],
  ['archive_context', (workspace) => ({ workspace, keepSessions: 1 })],
  ['import_from_memory', (workspace) => ({ workspace, from: 'agents-md', apply: true })],
  ['export_to_memory', (workspace) => ({ workspace, target: 'agents-md', apply: true })],
  ['export_conversation', (workspace) => ({ workspace, sessionId: 'current' })],
  [
    'export_chats',
    (folder) => ({ query: 'deadlock', format: 'markdown', path: path.join(folder, 'out.md') }),
  ],
]

function everythingIn(folder: string): string {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => path.join(each.parentPath, each.name))
    .toSorted()
    .map((file) => `${file} ${fs.readFileSync(file, 'latin1').length}`)
    .join('\n')
}

for (const [who, callerWith] of CALLERS) {
  describe(who, () => {
    const caller = callerWith([shop])
    const refused = async (name: string, input: object, told: RegExp, by = caller) => {
      const before = everythingIn(home)
      const { failure } = await call(service, name, input, by)
      assert.equal(failure?.code, 'FORBIDDEN', `${name}: ${JSON.stringify(failure)}`)
      assert.match(failure?.message ?? '', told)
      assert.equal(everythingIn(home), before, 'nothing was written')
    }

    for (const [name, inFolder] of WRITING) {
      test(`${name} writes inside of the workspace`, async () => {
        fs.writeFileSync(path.join(shop, 'AGENTS.md'), 'ours\n')
        const { failure } = await call(service, name, inFolder(shop), caller)
        assert.notEqual(failure?.code, 'FORBIDDEN', failure?.message)
      })

      test(`${name} does not write outside, whichever way it is named`, async () => {
        await refused(name, inFolder(other), /is outside of the workspace/)
        await refused(name, inFolder(path.join(shop, '..', 'other')), /is outside of the workspace/)
        // A junction, on Windows: it takes no right.
        fs.symlinkSync(other, path.join(shop, 'linked'), 'junction')
        await refused(name, inFolder(path.join(shop, 'linked')), /is outside of the workspace/)
        await refused(name, inFolder(os.tmpdir()), /is outside of the workspace/)
      })

      test(`${name} does not write anywhere where the client named nothing, or all of the disk`, async () => {
        for (const roots of [[], [path.parse(home).root], [path.dirname(home)]])
          await refused(name, inFolder(other), /is outside of the workspace/, callerWith(roots))
      })

      test(`${name} leaves the home folder's instructions alone, also where that is the workspace`, async () => {
        const isOf = callerWith([home])
        await refused(name, inFolder(path.join(home, '.codex')), /may not be written/, isOf)
        await refused(
          name,
          inFolder(path.join(home, '.codex')),
          /may not be written/,
          callerWith([path.join(home, '.codex')]),
        )
      })
    }

    test('every folder that the client named counts, and still no other', async () => {
      const inner = path.join(shop, 'packages', 'inner')
      fs.mkdirSync(path.join(inner, '.git'), { recursive: true })
      const several = callerWith([path.join(base, 'gone'), shop, inner])
      for (const [name, inFolder] of WRITING) {
        for (const folder of [shop, inner]) {
          fs.writeFileSync(path.join(folder, 'context.md'), '# Notes\n')
          fs.writeFileSync(path.join(folder, 'AGENTS.md'), 'ours\n')
          const { failure } = await call(service, name, inFolder(folder), several)
          assert.notEqual(failure?.code, 'FORBIDDEN', `${name}: ${failure?.message}`)
        }
        fs.rmSync(path.join(shop, 'linked'), { force: true })
        fs.symlinkSync(other, path.join(shop, 'linked'))
        await refused(name, inFolder(path.join(shop, 'linked')), /is outside of the workspace/, several)
        await refused(name, inFolder(other), /is outside of the workspace/, several)
      }
    })

    test('init_context starts a file inside only', async () => {
      fs.rmSync(path.join(shop, 'context.md'))
      fs.rmSync(path.join(other, 'context.md'))
      await refused('init_context', { workspace: other }, /is outside/)
      assert.ok((await call(service, 'init_context', {}, caller)).answer)
    })

    test("Claude Code's own memory, in the home folder, is not an agent's to write", async () => {
      await refused('export_to_memory', { target: 'memory-dir', apply: true }, /outside|may not be written/)
      const diff = await call(service, 'export_to_memory', { target: 'memory-dir' }, caller)
      assert.notEqual(diff.failure?.code, 'FORBIDDEN', 'what would be written may be shown')
    })

    test("another project's instructions are not written, though it lies inside", async () => {
      const inner = path.join(shop, 'vendor', 'theirs')
      fs.mkdirSync(path.join(inner, '.git'), { recursive: true })
      fs.writeFileSync(path.join(inner, 'context.md'), '# Notes\n')
      await refused(
        'export_to_memory',
        { workspace: inner, target: 'agents-md', apply: true },
        /another project/,
      )
    })

    for (const name of [
      'AGENTS.md',
      'CLAUDE.md',
      '.claude/commands/x.md',
      '.github/copilot-instructions.md',
      'a.instructions.md',
    ])
      test(`an export does not become ${name}`, async () => {
        fs.mkdirSync(path.dirname(path.join(shop, name)), { recursive: true })
        await refused(
          'export_chats',
          { query: 'deadlock', format: 'markdown', path: name },
          /as instructions/,
        )
      })

    test('a file that is a link out of the workspace is not written through', withLinks, async () => {
      fs.rmSync(path.join(shop, 'context.md'))
      fs.symlinkSync(path.join(other, 'context.md'), path.join(shop, 'context.md'))
      await refused('append_context', { content: 'x' }, /is outside of the workspace/)
      fs.symlinkSync(path.join(other, 'new.md'), path.join(shop, 'out.md'))
      await refused('export_chats', { query: 'deadlock', format: 'markdown', path: 'out.md' }, /It leads to/)
    })

    test("exports go into the archive's own folder too", async () => {
      const file = path.join(records, 'exports', `${caller.kind}.md`)
      const { answer, failure } = await call(
        service,
        'export_chats',
        { query: 'deadlock', format: 'markdown', path: file },
        caller,
      )
      assert.equal(failure, undefined)
      assert.equal(answer?.path, file)
      await refused(
        'export_chats',
        { query: 'deadlock', format: 'json', path: path.join(records, 'x.json') },
        /is outside/,
      )
    })

    test('force replaces what we wrote, and nothing else', async () => {
      for (const [format, name, theirs] of [
        ['markdown', 'a.md', '# Mine\n'],
        ['finetune-openai', 'b.jsonl', '{"messages":[{"role":"user","content":"mine"}]}\n'],
        ['json', 'c.json', ''],
      ] as const) {
        const file = path.join(shop, name)
        fs.writeFileSync(file, theirs)
        const input = { query: 'deadlock', format, path: file, force: true }
        const foreign = await call(service, 'export_chats', input, caller)
        assert.equal(foreign.failure?.code, 'FILE_EXISTS', name)
        assert.equal(fs.readFileSync(file, 'utf8'), theirs)
        fs.rmSync(file)
        for (const time of [1, 2]) {
          const { failure } = await call(service, 'export_chats', input, caller)
          assert.equal(failure, undefined, `${name} ${time}: ${failure?.message}`)
        }
      }
    })
  })
}

test('what the environment names is a workspace too', async () => {
  const env = { ...machine.env, WORKSPACE: other }
  const set = { ...service, readable: async () => ({ sources, machine: { ...machine, env } }) }
  const agent: Caller = { kind: 'agent', roots: [shop] }
  assert.equal((await call(set, 'append_context', { content: 'Set.' }, agent)).failure, undefined)
  assert.match(fs.readFileSync(path.join(other, 'context.md'), 'utf8'), /Set\./)
})

test('the owner writes where they say', async () => {
  const owner: Caller = { kind: 'owner', roots: [shop] }
  const { failure } = await call(service, 'append_context', { workspace: other, content: 'Mine.' }, owner)
  assert.equal(failure, undefined)
})
