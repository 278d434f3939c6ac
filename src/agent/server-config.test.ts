import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { configuredServers, SERVERS_FILE } from './server-config.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-servers-'))
const project = path.join(folder, 'project')
fs.mkdirSync(project)
after(() => fs.rmSync(folder, { recursive: true, force: true }))

/** As it stands in the file. */
const variable = (inner: string) => `\${${inner}}`

function servers(contents: unknown, env: Record<string, string> = {}, there?: unknown, allowed = false) {
  fs.writeFileSync(
    path.join(folder, SERVERS_FILE),
    typeof contents === 'string' ? contents : JSON.stringify(contents),
  )
  if (there === undefined) fs.rmSync(path.join(project, SERVERS_FILE), { force: true })
  else fs.writeFileSync(path.join(project, SERVERS_FILE), JSON.stringify(there))
  return configuredServers({ folder, cwd: project, env }, () => allowed)
}

test('our own list, and the shapes that other clients write', () => {
  const own = servers({
    servers: [
      {
        id: 'files',
        name: 'My files',
        description: 'reads',
        enabled: true,
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'x'],
        env: { A: '1' },
      },
      { id: 'web', transport: 'http', url: 'https://example.com/mcp', headers: { 'x-key': 'k' } },
      { id: 'off', command: 'x', enabled: false },
    ],
  })
  assert.deepEqual(
    own.map(({ id, name, transport, command, args, env, url, headers, off }) => ({
      ...{ id, name, transport, command, args, env, url, headers, off },
    })),
    [
      {
        ...{ id: 'files', name: 'My files', transport: 'stdio', command: 'npx', args: ['-y', 'x'] },
        ...{ env: { A: '1' }, url: undefined, headers: {}, off: undefined },
      },
      {
        ...{ id: 'web', name: 'web', transport: 'http', command: undefined, args: [], env: {} },
        ...{ url: 'https://example.com/mcp', headers: { 'x-key': 'k' }, off: undefined },
      },
      {
        ...{ id: 'off', name: 'off', transport: 'stdio', command: 'x', args: [], env: {} },
        ...{ url: undefined, headers: {}, off: true },
      },
    ],
  )
  const others = servers({
    mcpServers: {
      a: { command: 'a' },
      b: { url: 'http://127.0.0.1:1/mcp' },
      c: { command: 'c', disabled: true },
    },
    servers: { d: { type: 'stdio', command: 'd' }, e: { type: 'streamable-http', url: 'http://e/mcp' } },
  })
  assert.deepEqual(
    others.map(({ id, transport, disabled }) => [id, transport, disabled === undefined]),
    [
      ['d', 'stdio', true],
      ['e', 'http', true],
      ['a', 'stdio', true],
      ['b', 'http', true],
      ['c', 'stdio', false],
    ],
  )
})

test('variables are filled in; a missing one disables its server alone, and is named', () => {
  const [full, otherwise, missing, empty, editor] = servers(
    {
      mcpServers: {
        full: { command: variable('BIN'), args: [`--root=${variable('ROOT')}/x`], env: { T: variable('T') } },
        otherwise: { command: variable('NONE:-node'), args: [variable('EMPTY:-full')] },
        missing: { command: 'x', env: { A: variable('GONE'), B: variable('LOST') } },
        empty: { command: 'x', args: [variable('EMPTY')] },
        editor: { command: 'x', headers: { k: variable('env:T') } },
      },
    },
    { BIN: 'node', ROOT: '/r', T: 'secret', EMPTY: '' },
  )
  assert.deepEqual([full?.command, full?.args, full?.env], ['node', ['--root=/r/x'], { T: 'secret' }])
  assert.deepEqual([otherwise?.command, otherwise?.args], ['node', ['full']])
  assert.equal(
    missing?.disabled,
    'The server "missing" needs the environment variable GONE, LOST, which is not set.',
  )
  assert.deepEqual([empty?.disabled, empty?.args], [undefined, ['']])
  assert.deepEqual(editor?.headers, { k: 'secret' })
})

test('one bad entry does not take the others down; a bad file is an error that names it', () => {
  const found = servers({
    servers: [
      { id: 'bad', command: 7 },
      { id: 'none' },
      { id: 'bird', type: 'pigeon', url: 'http://x/' },
      { id: 'good', command: 'x' },
    ],
  })
  assert.match(found[0]?.disabled ?? '', /cannot be understood/)
  assert.match(found[1]?.disabled ?? '', /has no command/)
  assert.match(found[2]?.disabled ?? '', /wants the transport "pigeon"/)
  assert.equal(found[3]?.disabled, undefined)
  assert.throws(() => servers('{ "servers": ['), {
    code: 'INVALID_CONFIG',
    message: /mcp-servers\.json is not valid JSON/,
  })
  assert.throws(() => servers({ servers: 7 }), { code: 'INVALID_CONFIG' })
})

test('names are fit to stand in those of tools, differ, and never pass for our own', () => {
  const found = servers({
    servers: [
      { id: 'recollect', command: 'x' },
      { id: 'a b/c', command: 'x' },
      { name: 'a b/c', command: 'x' },
    ],
  })
  assert.deepEqual(
    found.map(({ id }) => id),
    ['recollect-2', 'a-b-c', 'a-b-c-2'],
  )
})

test("a project's servers count only where they are allowed, and never in place of one's own", () => {
  const own = { servers: [{ id: 'files', command: 'mine' }] }
  const there = {
    servers: [
      { id: 'files', command: 'theirs' },
      { id: 'more', command: 'theirs' },
    ],
  }
  const commands = (allowed: boolean) =>
    servers(own, {}, there, allowed).map(({ id, command, disabled }) => [id, command, disabled === undefined])
  assert.deepEqual(commands(false), [
    ['files', 'mine', true],
    ['more', 'theirs', false],
  ])
  assert.deepEqual(commands(true), [
    ['files', 'mine', true],
    ['more', 'theirs', true],
  ])
})
