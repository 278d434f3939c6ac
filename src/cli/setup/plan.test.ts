import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { RecollectError } from '../../model/errors.ts'
import { withLinks } from '../../platform/test-links.ts'
import { placeOf } from './client-file.ts'
import { clients } from './clients.ts'
import { carryOut, diffOf, type Plan, planRemoval, planSetup, type Target } from './plan.ts'
import { SetupRecords } from './record.ts'
import type { Server } from './server.ts'

const SERVER: Server = {
  transport: 'stdio',
  command: '/usr/bin/node',
  args: ['/opt/recollect/bin/recollect', 'mcp'],
  env: { RECOLLECT_HOME: '/data/recollect' },
}

let folder: string
let records: SetupRecords
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-plan-'))
  records = new SetupRecords(path.join(folder, 'archive'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** What people have in these files, by client. */
const EXISTING: Record<string, string[]> = {
  vscode: [
    '{\r\n\t// servers of mine\r\n\t"servers": {\r\n\t\t"github": { "type": "http", "url": "https://example.org/mcp" }, // keep\r\n\t},\r\n\t"inputs": [],\r\n}\r\n',
    '\ufeff{"servers":{}}',
  ],
  'copilot-cli': [
    '{\n    "mcpServers": {\n        "a": {\n            "type": "local",\n            "command": "a",\n            "args": [],\n            "tools": ["*"]\n        }\n    }\n}',
  ],
  'claude-code': [
    JSON.stringify(
      { numStartups: 12, projects: { '/home/me/x': { mcpServers: { recollect: { command: 'x' } } } } },
      null,
      2,
    ),
    JSON.stringify(
      {
        a: 1,
        mcpServers: {},
        history: Array.from({ length: 20_000 }, (_, n) => ({ display: `request ${n} “{}”` })),
      },
      null,
      2,
    ),
  ],
  'claude-desktop': ['{\n  "globalShortcut": "Ctrl+Space"\n}\n'],
  cursor: ['{ "mcpServers": { "x": { "url": "http://localhost:1/mcp" } } }\n'],
  codex: [
    '# mine\nmodel = "gpt-5"   # the big one\nnotify = [\n  "a", # why\n]\n\n[mcp_servers.docs]\ncommand = "npx"\n\n  [mcp_servers.docs.env]\n  # the key\n  KEY = "1"\n\n[projects."/home/me/x"]\ntrust_level = "trusted"',
    'model = "x"\r\n\r\n[tui]\r\nnotifications = true\r\n',
  ],
  'gemini-cli': [
    '{\n  "security": { "auth": { "selectedType": "oauth-personal" } }, /* kept */\n  "mcpServers": {}\n}\n',
  ],
  windsurf: ['{}'],
  zed: [
    '// Zed settings\n//\n// For information see the documentation\n{\n  "theme": "One Dark", // dark\n  "languages": {\n    "Go": { "tab_size": 4 },\n  },\n}\n',
  ],
  goose: [
    'GOOSE_PROVIDER: openai # which\nextensions:\n  developer:\n    enabled: true\n    type: builtin # inside\n\n# the rest\nGOOSE_MODE: auto\n',
    'extensions: {}\r\nGOOSE_MODEL: x\r\n',
  ],
  'qwen-code': [
    '{\n  // mine\n  "model": { "name": "qwen3-coder" },\n  "mcpServers": { "a": { "command": "a" } }, // kept\n}\n',
  ],
  'kimi-code': [
    '{\r\n  "mcpServers": {\r\n    "linear": { "url": "https://example.org/mcp" }\r\n  }\r\n}\r\n',
  ],
  kiro: ['{ "mcpServers": { "x": { "command": "x", "disabled": true, "autoApprove": [] } } }'],
  droid: ['{\n\t"mcpServers": {}\n}\n'],
  'grok-build': [
    '[models]\ndefault = "grok-build" # mine\n\n[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\n',
  ],
  opencode: [
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": { "x": { "type": "local", "command": ["x"], "enabled": false } }\n}\n',
  ],
  kilo: ['{\n  // mine\n  "mcp": {},\n  "model": "kilo/auto",\n}\n'],
  amp: [
    '{\n  "amp.url": "https://example.org",\n  "amp.mcpServers": { "x": { "command": "x" } } // kept\n}\n',
  ],
  antigravity: ['{\n  "mcpServers": {\n    "x": { "serverUrl": "https://example.org/mcp" }\n  }\n}\n'],
  junie: ['{ "mcpServers": { "x": { "command": "x", "args": ["y"] } } }'],
  'amazon-q': ['{\n  "mcpServers": {}\n}'],
  auggie: ['{"model":"x","mcpServers":{"a":{"command":"a","args":[]}}}'],
  crush: [
    '{\n  "$schema": "https://charm.land/crush.json",\n  "mcp": { "x": { "type": "stdio", "command": "x" } }, // kept\n}\n',
  ],
  'mistral-vibe': [
    '# mine\nactive_model = "devstral-2" # which\n\n[[mcp_servers]]\nname = "fetch" # first\ntransport = "stdio"\ncommand = "uvx"\n\n[mcp_servers.env]\nDEBUG = "1"\n\n[[mcp_servers]]\nname = "docs"\ntransport = "http"\nurl = "http://localhost:1"\n\n[tools.bash]\npermission = "ask"\n',
    'active_model = "x"\r\nmcp_servers = [] # none yet\r\n\r\n[tools.bash]\r\npermission = "ask"\r\n',
    'mcp_servers = [{ name = "a", transport = "stdio", command = "a" }]\n',
  ],
  iflow: [
    '{\n  "selectedAuthType": "iflow",\n  "mcpServers": { "a": { "type": "stdio", "command": "a" } }\n}\n',
  ],
  openclaw: [
    '{\n  // the gateway\n  "gateway": { "mode": "local" },\n}\n',
    '{ "mcp": { "sessionIdleTtlMs": 60000 } }\n',
    '{\n  "mcp": {\n    "servers": {\n      "docs": { "url": "https://example.org/mcp", "transport": "streamable-http" }\n    }\n  }\n}\n',
  ],
  hermes: ['model: x # which\nmcp_servers:\n  time:\n    command: uvx\n    args: [mcp-server-time]\n'],
}

for (const client of clients) {
  for (const [index, text] of ['', '\n', ...(EXISTING[client.id] ?? [])].entries()) {
    test('a diff shows no key whose name stands above the lines that it shows', () => {
      const args = ['--password', 'hunter2Xyz9Qw']
      const other = { other: { type: 'stdio', command: 'x', args, env: {} } }
      const target = targetOf('claude-code', JSON.stringify({ mcpServers: other }, null, 2))
      const diff = diffOf(planned(target))
      assert.match(diff, /\+.*"recollect"/)
      assert.doesNotMatch(diff, /hunter2/)
    })

    test(`${client.name}: file ${index + 1} is set up once, and is what it was when that is undone`, async () => {
      const target = targetOf(client.id, text)
      const plan = planned(target)
      assert.equal(plan.state, 'not set up')
      await carryOut(plan, records)
      const written = read(target)
      assert.notEqual(written, text)
      assert.equal(written.includes('\r\n'), text.includes('\r\n'))
      assert.equal(planned(target).action, 'none')
      assert.equal(planned(target).state, 'set up')
      await carryOut(planRemoval(target, records), records)
      assert.equal(read(target), text)
    })
  }

  test(`${client.name}: a file that was not there, and its folder, are gone again`, async () => {
    const target = targetOf(client.id, undefined)
    await carryOut(planned(target), records)
    if (process.platform !== 'win32') assert.equal(fs.statSync(target.file).mode & 0o777, 0o600)
    assert.equal(planned(target).state, 'set up')
    const removal = planRemoval(target, records)
    assert.match(diffOf(removal), /^\+\+\+ \/dev\/null$/m)
    await carryOut(removal, records)
    assert.deepEqual(fs.readdirSync(folder).sort(), ['archive'])
  })

  test(`${client.name}: undone where others have changed the file since, theirs stays`, async () => {
    const [text = ''] = EXISTING[client.id] ?? []
    const target = targetOf(client.id, text)
    await carryOut(planned(target), records)
    fs.writeFileSync(target.file, client.format.put(read(target), ['later'], { added: true }))
    await carryOut(planRemoval(target, records), records)
    assert.deepEqual(
      client.format.read(read(target)),
      client.format.read(client.format.put(text, ['later'], { added: true })),
    )
  })

  test(`${client.name}: an entry of another version is put right, keeps what the user added, and is undone as ever`, async () => {
    const [text = ''] = EXISTING[client.id] ?? []
    const target = targetOf(client.id, text)
    await carryOut(
      planned(target, { ...SERVER, command: '/old/node', env: { CODEX_HOME: '/gone' } }),
      records,
    )
    const at = placeOf(client, 'recollect')
    fs.writeFileSync(target.file, client.format.put(read(target), [...at, 'note'], 'mine'))
    const plan = planned(target)
    assert.equal(plan.state, 'set up differently')
    await carryOut(plan, records)
    assert.equal(planned(target).state, 'set up')
    assert.match(read(target), /mine/)
    assert.doesNotMatch(read(target), /old.node|CODEX_HOME/)
    await carryOut(planRemoval(target, records), records)
    assert.equal(read(target), text)
  })
}

test('without a record the entry is taken out by its name', async () => {
  const target = targetOf('codex', EXISTING.codex![0]!)
  await carryOut(planned(target), records)
  fs.rmSync(path.join(folder, 'archive'), { recursive: true })
  await carryOut(planRemoval(target, records), records)
  assert.deepEqual(target.client.format.read(read(target)), target.client.format.read(EXISTING.codex![0]!))
  assert.doesNotMatch(read(target), /recollect/)
})

test('a client that writes its file anew does not keep us from undoing it', async () => {
  const target = targetOf('claude-code', '{"numStartups":1}')
  await carryOut(planned(target), records)
  fs.writeFileSync(target.file, JSON.stringify({ ...JSON.parse(read(target)), numStartups: 2 }, null, 2))
  await carryOut(planRemoval(target, records), records)
  assert.equal(read(target), JSON.stringify({ numStartups: 2 }, null, 2))
})

test('mode and links are kept, and what was there is backed up for its owner alone', withLinks, async () => {
  const target = targetOf('zed', '{}\n')
  const real = path.join(folder, 'dotfiles.json')
  fs.renameSync(target.file, real)
  fs.symlinkSync(real, target.file)
  fs.chmodSync(real, 0o640)
  const { backup = '' } = await carryOut(planned(target), records)
  assert.equal(fs.lstatSync(target.file).isSymbolicLink(), true)
  if (process.platform !== 'win32') assert.equal(fs.statSync(real).mode & 0o777, 0o640)
  assert.match(fs.readFileSync(real, 'utf8'), /recollect/)
  assert.equal(fs.readFileSync(backup, 'utf8'), '{}\n')
  if (process.platform !== 'win32') assert.equal(fs.statSync(backup).mode & 0o777, 0o600)
  if (process.platform !== 'win32') assert.equal(fs.statSync(path.dirname(backup)).mode & 0o777, 0o700)
  assert.deepEqual(fs.readdirSync(path.dirname(target.file)), ['settings.json'])
})

test('below a home that is a link, what was not there is gone again', withLinks, async () => {
  const home = path.join(folder, 'behind')
  fs.mkdirSync(home)
  const link = path.join(folder, 'home')
  fs.symlinkSync(home, link)
  for (const { id } of clients) {
    const target = targetOf(id, undefined)
    const file = path.join(link, path.relative(folder, target.file))
    await carryOut(planned({ ...target, file }), records)
    assert.equal(fs.existsSync(file), true)
    await carryOut(planRemoval({ ...target, file }, records), records)
    assert.deepEqual(fs.readdirSync(home), [], id)
  }
})

test('only the newest backups of a file are kept', async () => {
  const target = targetOf('cursor', '{}')
  let last = ''
  for (let round = 0; round < 4; round++) {
    await carryOut(planned(target), records)
    last = (await carryOut(planRemoval(target, records), records)).backup ?? ''
  }
  const kept = fs.readdirSync(path.dirname(last))
  assert.equal(kept.length, 3)
  assert.ok(kept.includes(path.basename(last)))
})

test('a file that was changed after the change was shown is not written', async () => {
  const target = targetOf('codex', 'a = 1\n')
  const plan = planned(target)
  fs.writeFileSync(target.file, 'a = 2\n')
  await assert.rejects(carryOut(plan, records), hasCode('FILE_CHANGED'))
  assert.equal(read(target), 'a = 2\n')
  const missing = targetOf('goose', undefined)
  const create = planned(missing)
  fs.mkdirSync(path.dirname(missing.file), { recursive: true })
  fs.writeFileSync(missing.file, 'a: 1\n')
  await assert.rejects(carryOut(create, records), hasCode('FILE_CHANGED'))
  assert.equal(read(missing), 'a: 1\n')
})

test('what cannot be changed safely is refused, and left alone', () => {
  const cases: [string, string | Buffer, string][] = [
    ['claude-code', '{\n  "a": 1,\n}', 'MALFORMED_FILE'],
    ['codex', 'a = \n', 'MALFORMED_FILE'],
    ['codex', 'mcp_servers = { a = { command = "x" } }\n', 'UNSUITED_FILE'],
    ['codex', '[mcp_servers]\nrecollect.command = "x"\n', 'UNSUITED_FILE'],
    ['goose', 'a: 1\n---\nb: 2\n', 'UNSUITED_FILE'],
    ['goose', 'base: &b {a: 1}\nextensions: *b\n', 'UNSUITED_FILE'],
    ['goose', '- a\n- b\n', 'UNSUITED_FILE'],
    ['vscode', '[]', 'UNSUITED_FILE'],
    ['vscode', '{"servers": []}', 'UNSUITED_FILE'],
    ['vscode', '{"servers": {"recollect": "x"}}', 'UNSUITED_FILE'],
    ['vscode', '{"servers": {"a": {}}, "servers": null}', 'UNSUITED_FILE'],
    ['vscode', Buffer.from('{"a": "\xff"}', 'latin1'), 'READ_ERROR'],
    ['vscode', Buffer.from('\ufeff{}', 'utf16le'), 'READ_ERROR'],
  ]
  for (const [id, content, code] of cases) {
    const target = targetOf(id, '')
    fs.writeFileSync(target.file, content)
    assert.throws(() => planned(target), hasCode(code), String(content))
    assert.deepEqual(fs.readFileSync(target.file), Buffer.from(content))
  }
})

test('a link to nothing is refused', withLinks, () => {
  const dangling = targetOf('vscode', undefined)
  fs.mkdirSync(path.dirname(dangling.file), { recursive: true })
  fs.rmSync(dangling.file, { force: true })
  fs.symlinkSync(path.join(folder, 'nowhere'), dangling.file)
  assert.throws(() => planned(dangling), hasCode('READ_ERROR'))
})

test('a file that may not be written is not', async () => {
  const target = targetOf('windsurf', '{}')
  fs.chmodSync(target.file, 0o444)
  await assert.rejects(carryOut(planned(target), records), hasCode('WRITE_ERROR'))
  assert.equal(read(target), '{}')
})

function targetOf(id: string, text: string | undefined): Target {
  const client = clients.find((each) => each.id === id)!
  const [usual] = client.files({ platform: 'linux', home: path.join(folder, 'home'), env: {} })
  const { file } = usual!
  if (text !== undefined) {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  return { client, file, name: 'recollect', shared: false }
}

function planned(target: Target, server: Server = SERVER): Plan {
  return planSetup(target, () => target.client.shape(server, target.name)!)
}

function read({ file }: Target): string {
  return fs.readFileSync(file, 'utf8')
}

function hasCode(code: string) {
  return (error: unknown) => error instanceof RecollectError && error.code === code
}
