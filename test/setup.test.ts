import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { parse as parseToml } from 'smol-toml'
import { withLinks } from '../src/platform/test-links.ts'
import { clientOf } from './mcp-kit.ts'
import { machine, root, runCommand } from './run-cli.ts'

const CODEX = '# mine\nmodel = "gpt-5" # big\n\n[mcp_servers.docs]\ncommand = "npx"\n'
const ZED = '// mine\n{\n  "theme": "One Dark", // dark\n}\n'
const GOOSE = 'GOOSE_MODEL: x # which\nextensions:\n  developer:\n    enabled: true\n'

let user: ReturnType<typeof machine>
beforeEach(() => {
  user = machine()
  write('.codex/config.toml', CODEX)
  write('.config/zed/settings.json', ZED)
  write('.config/goose/config.yaml', GOOSE)
  fs.mkdirSync(path.join(user.home, '.claude'))
})
afterEach(() => user.remove())

test('without a terminal and without names: what is here, what would be written, and how to write it', async () => {
  const { code, out } = await user.run(['setup'])
  assert.equal(code, 0)
  assert.match(out, /1 {2}Claude Code +not set up +~[\\/]\.claude\.json/)
  assert.match(out, /2 {2}Codex +not set up +~[\\/]\.codex[\\/]config\.toml/)
  assert.doesNotMatch(out, /Cursor/)
  assert.match(out, /^\+\[mcp_servers\.recollect\]$/m)
  assert.match(out, /Nothing was written. To do so: recollect setup claude-code codex zed goose --yes$/m)
  assert.equal(read('.codex/config.toml'), CODEX)
  assert.equal(fs.existsSync(path.join(user.home, '.claude.json')), false)
  assert.equal(fs.existsSync(user.archive), false)
})

test('with --yes: written, told what to do next, and tried; a second time there is nothing to do', async () => {
  const first = await user.run(['setup', '--yes'])
  assert.equal(first.code, 0, first.out)
  assert.match(first.out, /Next: Start a new session of codex\.\nCheck: codex mcp list/)
  assert.match(first.out, /The server was started as a client will start it, and answers\./)
  const written = read('.codex/config.toml')
  assert.ok(written.startsWith(CODEX))
  const again = await user.run(['setup', '--yes'])
  assert.match(again.out, /Codex +set up +.*[\s\S]*There is nothing to do\./)
  assert.match((await user.run(['setup', 'codex', '--yes'])).out, /Already set up\./)
  assert.equal(read('.codex/config.toml'), written)
})

test(
  'what is in the folder of one version is written with a word on when to come back',
  withLinks,
  async () => {
    const folder = path.join(user.home, '.nvm', 'versions', 'node', 'v24.1.0')
    const command = path.join(folder, 'bin', 'recollect')
    fs.mkdirSync(path.dirname(command), { recursive: true })
    fs.symlinkSync(path.join(root, 'bin', 'recollect'), command)
    const note = /one version, (\S+): before you remove that version, run `recollect setup` with another\./
    const shown = await user.run(['setup', 'codex', '--yes'], { command })
    assert.equal(note.exec(shown.out)?.[1], path.join('~', '.nvm', 'versions', 'node', 'v24.1.0'))
    const json = JSON.parse((await user.run(['setup', 'codex', '--json'], { command })).out)
    assert.match(json.note, note)
    assert.doesNotMatch((await user.run(['setup', 'codex', '--remove', '--yes'], { command })).out, note)
    assert.doesNotMatch((await user.run(['setup', 'codex', '--yes'])).out, note)
  },
)

test('--remove leaves every file to the byte as it was, and none that was not there', async () => {
  const before = filesOf(user.home)
  await user.run(['setup', '--yes'])
  await user.run(['setup', 'cursor', 'vscode', '--yes'])
  assert.notDeepEqual(filesOf(user.home), before)
  const { code, out } = await user.run(['setup', '--remove', '--yes'])
  assert.equal(code, 0, out)
  assert.deepEqual(filesOf(user.home), before)
  assert.match((await user.run(['setup', 'codex', '--remove', '--yes'])).out, /there is nothing to remove/)
})

test('what was written starts the server in an empty environment, on the archive that is meant', async () => {
  fs.cpSync(path.join(root, 'sample', '.claude'), path.join(user.home, '.claude'), { recursive: true })
  await user.run(['sync'])
  await user.run(['setup', 'codex', '--tools', 'search', '--yes'])
  const { mcp_servers } = parseToml(read('.codex/config.toml')) as {
    mcp_servers: { recollect: { command: string; args: string[]; env: Record<string, string> } }
  }
  const { command, args, env } = mcp_servers.recollect
  const client = clientOf('legacy')
  await client.connect(
    new StdioClientTransport({
      command,
      args,
      env: { ...env, HOME: user.home, PATH: '' },
      cwd: '/',
      stderr: 'ignore',
    }),
  )
  try {
    const { tools } = await client.listTools()
    assert.ok(tools.some(({ name }) => name === 'search_conversations'))
    assert.ok(!tools.some(({ name }) => name === 'read_context'))
    const found = await client.callTool({ name: 'search_conversations', arguments: { query: 'deadlock' } })
    assert.match(JSON.stringify(found), /Deadlock between checkout/)
  } finally {
    await client.close()
  }
})

test('--json tells the same to programs, and asks nobody', async () => {
  const dry = JSON.parse((await user.run(['setup', 'codex', '--json'])).out)
  assert.equal(dry.clients[0].state, 'not set up')
  assert.equal(dry.clients[0].written, false)
  assert.match(dry.clients[0].diff, /\+command = /)
  assert.equal(read('.codex/config.toml'), CODEX)
  const done = JSON.parse((await user.run(['setup', 'codex', '--json', '--yes'])).out)
  assert.equal(done.clients[0].written, true)
  assert.equal(fs.readFileSync(done.clients[0].backup, 'utf8'), CODEX)
  assert.equal(done.server.env.RECOLLECT_HOME, user.archive)
})

test('a file that cannot be read is told with line and column and what to paste; the others are done', async () => {
  write('.claude.json', '{\n  "a": 1,\n}\n')
  const { code, out } = await user.run(['setup', 'claude-code', 'codex', '--yes'])
  assert.equal(code, 3)
  assert.match(out, /\.claude\.json cannot be read at line 3, column 1: property name expected\./)
  assert.match(out, /By hand, this belongs into it:\n\{\n {2}"mcpServers"/)
  assert.equal(read('.claude.json'), '{\n  "a": 1,\n}\n')
  assert.match(read('.codex/config.toml'), /recollect/)
  const json = JSON.parse((await user.run(['setup', 'claude-code', '--json'])).out)
  assert.deepEqual(
    [json.clients[0].error.code, json.clients[0].error.line, json.clients[0].error.column],
    ['MALFORMED_FILE', 3, 1],
  )
})

test('keys of other servers are not shown', async () => {
  write(
    '.cursor/mcp.json',
    '{\n  "mcpServers": {\n    "a": { "env": { "API_KEY": "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789" } }\n  }\n}\n',
  )
  const { out } = await user.run(['setup', 'cursor', '--yes'])
  assert.match(out, /^\+ +"recollect"/m)
  assert.doesNotMatch(out, /AbCdEfGhIjKlMnOp/)
  assert.match(read('.cursor/mcp.json'), /AbCdEfGhIjKlMnOp/)
})

test('--print gives what to paste, and writes nothing', async () => {
  const before = filesOf(user.home)
  const { out, err } = await user.run(['setup', '--print', 'codex'])
  assert.equal(
    (parseToml(out) as { mcp_servers: { recollect: { args: string[] } } }).mcp_servers.recollect.args.at(-1),
    'mcp',
  )
  assert.match(err, /Codex, ~[\\/]\.codex[\\/]config\.toml/)
  assert.deepEqual(filesOf(user.home), before)
})

test("--project writes the project's file, without paths of this machine", async () => {
  const project = path.join(user.home, 'work')
  fs.mkdirSync(path.join(project, '.git'), { recursive: true })
  const env = { WORKSPACE: project }
  const { out } = await user.run(['setup', 'claude-code', '--project', '--yes'], { env })
  assert.deepEqual(JSON.parse(fs.readFileSync(path.join(project, '.mcp.json'), 'utf8')), {
    mcpServers: { recollect: { type: 'stdio', command: 'recollect', args: ['mcp'] } },
  })
  assert.match(out, /each needs `recollect` on their PATH/)
  const refused = await user.run(['setup', 'goose', '--project'], { env })
  assert.equal(refused.code, 2)
  assert.match(refused.err, /has no settings for a project/)
  await user.run(['setup', 'claude-code', '--project', '--remove', '--yes'], { env })
  assert.deepEqual(fs.readdirSync(project), ['.git'])
})

test('--http names the address and the variable of the token, --name another name', async () => {
  await user.run(['setup', 'codex', '--http', '3939', '--name', 'memory', '--yes'])
  assert.match(
    read('.codex/config.toml'),
    /\[mcp_servers\.memory\]\nurl = "http:\/\/127\.0\.0\.1:3939\/mcp"\nbearer_token_env_var = "RECOLLECT_TOKEN"\n$/,
  )
  const refused = await user.run(['setup', 'claude-desktop', 'iflow', '--http', '3939', '--yes'])
  assert.equal(refused.code, 3)
  assert.match(refused.out, /reaches no server over HTTP/)
  assert.match(refused.out, /`iflow mcp add --transport http .* recollect http:\/\/127\.0\.0\.1:3939\/mcp/)
})

test('a person is asked which, and before each file', async () => {
  const answers = async (...given: string[]) => {
    const script = `
      import { setup } from ${JSON.stringify(path.join(root, 'src/cli/commands/setup.ts'))}
      const answers = ${JSON.stringify(given)}
      await setup([], {}, async (question) => { console.log(question); return answers.shift() ?? 'q' })`
    const env = { HOME: user.home, USERPROFILE: user.home, RECOLLECT_HOME: user.archive }
    return await runCommand(process.execPath, ['--input-type=module', '-e', script], env)
  }
  const some = await answers('9', '2 3', 'y', 'n')
  assert.match(some.out, /There are the numbers 1 to 4\./)
  assert.match(read('.codex/config.toml'), /recollect/)
  assert.equal(read('.config/zed/settings.json'), ZED)
  assert.match(some.out, /Left as it was\./)
  await answers('n')
  assert.equal(read('.config/goose/config.yaml'), GOOSE)
  await answers('', 'y', 'y', 'y')
  for (const file of ['.claude.json', '.config/zed/settings.json', '.config/goose/config.yaml'])
    assert.match(read(file), /recollect/)
})

test('wrong words are told what is right', async () => {
  const unknown = await user.run(['setup', 'emacs'])
  assert.equal(unknown.code, 2)
  assert.match(unknown.err, /There is no client "emacs"\.\nValid values: vscode, copilot-cli/)
  assert.equal((await user.run(['setup', 'codex', '--tools', 'nonsense'])).code, 2)
  assert.equal((await user.run(['setup', 'codex', '--name', 'a b'])).code, 2)
})

function write(name: string, text: string): void {
  const file = path.join(user.home, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

function read(name: string): string {
  return fs.readFileSync(path.join(user.home, name), 'utf8')
}

function filesOf(folder: string): Record<string, string> {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    files.map((each) => {
      const file = path.join(each.parentPath, each.name)
      return [path.relative(folder, file), each.isFile() ? fs.readFileSync(file, 'utf8') : '']
    }),
  )
}
