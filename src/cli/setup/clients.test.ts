import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { RecollectError } from '../../model/errors.ts'
import type { Machine } from '../../platform/machine.ts'
import { clientsNamed, isHere, serverName, userTargets } from './choose.ts'
import { clients } from './clients.ts'
import { withKeptArguments } from './entry.ts'
import { localServer, PLACES, remoteServer } from './server.ts'

const LINUX: Machine = { platform: 'linux', home: '/home/me', env: {} }
const MAC: Machine = { platform: 'darwin', home: '/Users/me', env: {} }
const WINDOWS: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\me',
  env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
}

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-clients-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

test('each client is looked for where it keeps its settings, on every system', () => {
  const expected: Record<string, [string, string, string]> = {
    vscode: [
      '/home/me/.config/Code/User/mcp.json',
      '/Users/me/Library/Application Support/Code/User/mcp.json',
      'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json',
    ],
    'copilot-cli': [
      '/home/me/.copilot/mcp-config.json',
      '/Users/me/.copilot/mcp-config.json',
      'C:\\Users\\me\\.copilot\\mcp-config.json',
    ],
    'claude-code': ['/home/me/.claude.json', '/Users/me/.claude.json', 'C:\\Users\\me\\.claude.json'],
    'claude-desktop': [
      '/home/me/.config/Claude/claude_desktop_config.json',
      '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
      'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ],
    cursor: ['/home/me/.cursor/mcp.json', '/Users/me/.cursor/mcp.json', 'C:\\Users\\me\\.cursor\\mcp.json'],
    codex: [
      '/home/me/.codex/config.toml',
      '/Users/me/.codex/config.toml',
      'C:\\Users\\me\\.codex\\config.toml',
    ],
    'gemini-cli': [
      '/home/me/.gemini/settings.json',
      '/Users/me/.gemini/settings.json',
      'C:\\Users\\me\\.gemini\\settings.json',
    ],
    windsurf: [
      '/home/me/.codeium/windsurf/mcp_config.json',
      '/Users/me/.codeium/windsurf/mcp_config.json',
      'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json',
    ],
    zed: [
      '/home/me/.config/zed/settings.json',
      '/Users/me/.config/zed/settings.json',
      'C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json',
    ],
    goose: [
      '/home/me/.config/goose/config.yaml',
      '/Users/me/.config/goose/config.yaml',
      'C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
    ],
    'qwen-code': [
      '/home/me/.qwen/settings.json',
      '/Users/me/.qwen/settings.json',
      'C:\\Users\\me\\.qwen\\settings.json',
    ],
    'kimi-code': [
      '/home/me/.kimi-code/mcp.json',
      '/Users/me/.kimi-code/mcp.json',
      'C:\\Users\\me\\.kimi-code\\mcp.json',
    ],
    kiro: [
      '/home/me/.kiro/settings/mcp.json',
      '/Users/me/.kiro/settings/mcp.json',
      'C:\\Users\\me\\.kiro\\settings\\mcp.json',
    ],
    ...Object.fromEntries(
      Object.entries({
        'grok-build': '.grok/config.toml',
        opencode: '.config/opencode/opencode.json',
        kilo: '.config/kilo/kilo.jsonc',
        amp: '.config/amp/settings.json',
        antigravity: '.gemini/config/mcp_config.json',
        auggie: '.augment/settings.json',
        junie: '.junie/mcp/mcp.json',
        hermes: '.hermes/config.yaml',
        'amazon-q': '.aws/amazonq/mcp.json',
        crush: '.config/crush/crush.json',
        'mistral-vibe': '.vibe/config.toml',
        iflow: '.iflow/settings.json',
        openclaw: '.openclaw/openclaw.json',
      }).map(([id, file]): [string, [string, string, string]] => [
        id,
        [`/home/me/${file}`, `/Users/me/${file}`, `C:\\Users\\me\\${file.replaceAll('/', '\\')}`],
      ]),
    ),
    droid: ['/home/me/.factory/mcp.json', '/Users/me/.factory/mcp.json', 'C:\\Users\\me\\.factory\\mcp.json'],
  }
  for (const { id, files } of clients) {
    const usual = [LINUX, MAC, WINDOWS].map((machine) => files(machine)[0]!.file)
    assert.deepEqual(usual, expected[id], id)
  }
})

test("the clients' own variables move their settings", () => {
  const moved: [string, Record<string, string>, string][] = [
    ['copilot-cli', { COPILOT_HOME: '/c' }, '/c/mcp-config.json'],
    ['copilot-cli', { XDG_CONFIG_HOME: '/x' }, '/home/me/.copilot/mcp-config.json'],
    ['claude-code', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
    ['codex', { CODEX_HOME: '/c' }, '/c/config.toml'],
    ['gemini-cli', { GEMINI_CLI_HOME: '/g' }, '/g/.gemini/settings.json'],
    ['zed', { XDG_CONFIG_HOME: '/x' }, '/x/zed/settings.json'],
    ['goose', { XDG_CONFIG_HOME: '/x' }, '/x/goose/config.yaml'],
    ['goose', { GOOSE_PATH_ROOT: '/g' }, '/g/config/config.yaml'],
    ['vscode', { XDG_CONFIG_HOME: '/x' }, '/x/Code/User/mcp.json'],
    ['qwen-code', { QWEN_HOME: '/q' }, '/q/settings.json'],
    ['kimi-code', { KIMI_CODE_HOME: '/k' }, '/k/mcp.json'],
    ['grok-build', { GROK_HOME: '/g' }, '/g/config.toml'],
    ['hermes', { HERMES_HOME: '/h' }, '/h/config.yaml'],
    ['opencode', { XDG_CONFIG_HOME: '/x' }, '/x/opencode/opencode.json'],
    ['kilo', { XDG_CONFIG_HOME: '/x' }, '/x/kilo/kilo.jsonc'],
    ['crush', { XDG_CONFIG_HOME: '/x' }, '/x/crush/crush.json'],
    ['crush', { CRUSH_GLOBAL_CONFIG: '/c' }, '/c/crush.json'],
    ['mistral-vibe', { VIBE_HOME: '/v' }, '/v/config.toml'],
    ['openclaw', { OPENCLAW_STATE_DIR: '/o' }, '/o/openclaw.json'],
    ['openclaw', { OPENCLAW_CONFIG_PATH: '/o/mine.json' }, '/o/mine.json'],
  ]
  for (const [id, env, file] of moved) {
    const client = clients.find((each) => each.id === id)!
    assert.equal(client.files({ ...LINUX, env })[0]!.file, file)
  }
})

test('VS Code: every edition and every profile with servers of its own, if it is there', () => {
  const home = path.join(temp, 'editions')
  const user = path.join(home, '.config', 'Code', 'User')
  const insiders = path.join(home, '.config', 'Code - Insiders', 'User')
  for (const folder of [path.join(user, 'globalStorage'), path.join(user, 'profiles', '1a2b'), insiders])
    fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    path.join(user, 'globalStorage', 'storage.json'),
    JSON.stringify({
      userDataProfiles: [
        { location: '1a2b', name: 'Work' },
        { location: '3c4d', name: 'Shares', useDefaultFlags: { mcp: true } },
      ],
    }),
  )
  const [vscode] = clientsNamed(['vscode'])
  const machine: Machine = { ...LINUX, home }
  assert.deepEqual(
    userTargets(vscode!, machine, 'recollect').map(({ label, file }) => [label, path.relative(home, file)]),
    [
      [undefined, '.config/Code/User/mcp.json'],
      ['profile Work', '.config/Code/User/profiles/1a2b/mcp.json'],
      ['Code - Insiders', '.config/Code - Insiders/User/mcp.json'],
    ],
  )
  const nobody = { ...LINUX, home: path.join(temp, 'nobody') }
  assert.equal(isHere(vscode!, nobody), false)
  assert.deepEqual(
    userTargets(vscode!, nobody, 'recollect').map(({ file }) =>
      path.basename(path.dirname(path.dirname(file))),
    ),
    ['Code'],
  )
})

test('a client is named by its id or a beginning that only it has', () => {
  assert.deepEqual(
    clientsNamed(['copilot', 'gemini', 'zed']).map(({ id }) => id),
    ['copilot-cli', 'gemini-cli', 'zed'],
  )
  assert.throws(() => clientsNamed(['claude']), /claude-code or claude-desktop/)
  assert.throws(() => clientsNamed(['emacs']), RecollectError)
  for (const name of ['', '__proto__', 'a b', 'a.b', 'x'.repeat(41)])
    assert.throws(() => serverName(name), RecollectError)
})

test('every variable that moves an assistant is passed on', () => {
  const sources = path.join(import.meta.dirname, '..', '..', 'sources')
  const followed = new Set(
    fs
      .globSync('*/*.ts', { cwd: sources })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...fs.readFileSync(path.join(sources, file), 'utf8').matchAll(/env\.([A-Z_]{2,})/g),
      ])
      .map(([, name]) => name!),
  )
  // These every client passes on.
  for (const name of ['APPDATA', 'LOCALAPPDATA']) followed.delete(name)
  assert.deepEqual(
    [...followed].filter((name) => !PLACES.includes(name)),
    [],
  )
})

test('from the cache of npx nothing is set up', () => {
  for (const folder of [
    '/home/me/.npm/_npx/ab12/node_modules/recollect',
    'C:\\t\\dlx-12\\node_modules\\recollect',
  ])
    assert.throws(() => localServer(LINUX, { node: '/n', script: '', root: folder }, []), /npx/)
})

test('the environment that matters is told, with full paths', () => {
  const env = { RECOLLECT_HOME: 'here', CODEX_HOME: '/c', PATH: '/bin', OPENAI_API_KEY: 'secret' }
  const server = localServer({ ...LINUX, env }, { node: '/n', script: '', root: '/r' }, [])
  assert.deepEqual(server.transport === 'stdio' && server.env, {
    RECOLLECT_HOME: path.resolve('here'),
    CODEX_HOME: '/c',
  })
})

test('arguments that the user added stay, and the sets of tools are chosen anew', () => {
  const server = localServer(LINUX, { node: '/n', script: '', root: '/r' }, ['mcp'])
  const had = { args: ['/old', 'mcp', '--max-chars', '9000', '--tools', 'search'] }
  const args = (tools?: string, entry: object = had) => {
    const kept = withKeptArguments(server, entry, tools)
    return kept.transport === 'stdio' ? kept.args.slice(1) : []
  }
  assert.deepEqual(args(), ['mcp', '--max-chars', '9000', '--tools', 'search'])
  assert.deepEqual(args('recall'), ['mcp', '--max-chars', '9000', '--tools', 'recall'])
  assert.deepEqual(args('all'), ['mcp', '--max-chars', '9000'])
  assert.deepEqual(args('search', {}), ['mcp', '--tools', 'search'])
})

test('over HTTP clients are given the address, and the token by the name of its variable', () => {
  const server = remoteServer('3939', true)
  const shapes = clients.map((client) => [client.id, client.shape(server, 'recollect')?.keys])
  assert.deepEqual(Object.fromEntries(shapes), {
    vscode: {
      type: 'http',
      url: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: `Bearer \${env:RECOLLECT_TOKEN}` },
    },
    'copilot-cli': {
      type: 'http',
      url: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: `Bearer \${RECOLLECT_TOKEN}` },
    },
    'claude-code': {
      type: 'http',
      url: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: `Bearer \${RECOLLECT_TOKEN}` },
    },
    'claude-desktop': undefined,
    cursor: {
      url: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: `Bearer \${env:RECOLLECT_TOKEN}` },
    },
    codex: { url: 'http://127.0.0.1:3939/mcp', bearer_token_env_var: 'RECOLLECT_TOKEN' },
    'gemini-cli': {
      httpUrl: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: 'Bearer $RECOLLECT_TOKEN' },
    },
    windsurf: {
      serverUrl: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: `Bearer \${env:RECOLLECT_TOKEN}` },
    },
    zed: { url: 'http://127.0.0.1:3939/mcp' },
    goose: { type: 'streamable_http', uri: 'http://127.0.0.1:3939/mcp' },
    'qwen-code': {
      httpUrl: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: 'Bearer $RECOLLECT_TOKEN' },
    },
    'kimi-code': { url: 'http://127.0.0.1:3939/mcp', bearerTokenEnvVar: 'RECOLLECT_TOKEN' },
    kiro: {
      url: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: `Bearer \${RECOLLECT_TOKEN}` },
    },
    droid: { type: 'http', url: 'http://127.0.0.1:3939/mcp' },
    'grok-build': {
      url: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: `Bearer \${RECOLLECT_TOKEN}` },
    },
    ...Object.fromEntries(
      ['opencode', 'kilo'].map((id) => [
        id,
        {
          type: 'remote',
          url: 'http://127.0.0.1:3939/mcp',
          headers: { Authorization: 'Bearer {env:RECOLLECT_TOKEN}' },
        },
      ]),
    ),
    amp: { url: 'http://127.0.0.1:3939/mcp' },
    antigravity: { serverUrl: 'http://127.0.0.1:3939/mcp' },
    auggie: { type: 'http', url: 'http://127.0.0.1:3939/mcp' },
    junie: { url: 'http://127.0.0.1:3939/mcp' },
    hermes: { url: 'http://127.0.0.1:3939/mcp' },
    'amazon-q': undefined,
    crush: {
      type: 'http',
      url: 'http://127.0.0.1:3939/mcp',
      headers: { Authorization: 'Bearer $RECOLLECT_TOKEN' },
    },
    'mistral-vibe': {
      transport: 'streamable-http',
      url: 'http://127.0.0.1:3939/mcp',
      api_key_env: 'RECOLLECT_TOKEN',
      api_key_header: 'Authorization',
      api_key_format: 'Bearer {token}',
    },
    iflow: undefined,
    openclaw: { url: 'http://127.0.0.1:3939/mcp', transport: 'streamable-http' },
  })
  assert.throws(() => remoteServer('ftp://x', true), RecollectError)
})
