import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { auth } from '@modelcontextprotocol/client'
import { LoginNeeded, OAuthKeeper } from '../src/agent/oauth.ts'
import { agentBench, TEST_SERVER, variable } from './agent-kit.ts'
import { until } from './mcp-kit.ts'
import { startOAuthSite } from './oauth-server.ts'
import { bareEnvironment, recollect, root, runCommand } from './run-cli.ts'

test('a server that wants a sign-in says so, is signed in to in the browser, and the grant is renewed', async () => {
  const site = await startOAuthSite()
  const bench = await agentBench({
    scripts: [{ when: 'vault', turns: [{ calls: [{ tool: 'open', args: {} }] }, { text: 'Open.' }] }],
    servers: [{ id: 'vault', transport: 'http', url: site.url }],
    config: { approvals: { vault: 'always' } },
  })
  after(async () => {
    await bench.close()
    await site.close()
  })
  const status = async () => (await bench.agent.servers()).find(({ id }) => id === 'vault')
  assert.match((await status())?.problem ?? '', /recollect mcp-servers login vault/)
  assert.equal((await status())?.login, 'recollect mcp-servers login vault')

  const child = spawn(process.execPath, [recollect, 'mcp-servers', 'login', 'vault'], {
    cwd: root,
    env: { ...bareEnvironment(), HOME: bench.folder, RECOLLECT_HOME: bench.folder },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
  const ended = new Promise((resolve) => child.once('close', resolve))
  await until('it shows where to sign in', () => /http:\S+authorize\S+/.test(said))
  // Another process that asks meanwhile, as one that runs all day does, disturbs no sign-in.
  await bench.restart()
  assert.match((await status())?.problem ?? '', /recollect mcp-servers login vault/)
  // What a browser does.
  const page = await fetch(/http:\S+authorize\S+/.exec(said)![0])
  assert.match(await page.text(), /You are signed in/)
  assert.equal(await ended, 0, said)
  assert.match(said, /You are signed in to vault/)
  assert.doesNotMatch(said, /mcp-sdk/)

  const file = path.join(bench.folder, 'mcp-oauth.json')
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  const [first] = /access-[\w-]+/.exec(fs.readFileSync(file, 'utf8')) ?? []
  assert.ok(first && !said.includes(first))
  await bench.restart()
  assert.equal((await status())?.status, 'ready', (await status())?.problem)
  assert.equal((await status())?.login, undefined)
  assert.equal((await bench.run('vault')).toolResults[0]?.result, 'The vault is open.')
  site.expire()
  assert.equal((await bench.run('vault')).toolResults[0]?.result, 'The vault is open.')
  assert.deepEqual(site.asked.slice(-1), ['refresh_token'])
  for (const name of fs.readdirSync(bench.folder, { recursive: true }) as string[]) {
    const at = path.join(bench.folder, name)
    if (fs.statSync(at).isFile() && name !== 'mcp-oauth.json')
      assert.ok(!fs.readFileSync(at).includes('access-'), name)
  }
})

test('of two processes that renew a grant at once, the later one does not sign both out', async () => {
  const site = await startOAuthSite()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-oauth-'))
  after(async () => {
    await site.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const at = { serverUrl: site.url }
  let opened: URL | undefined
  const person = new OAuthKeeper(folder, site.url, {
    redirect: 'http://127.0.0.1:1/callback',
    open: (url) => (opened = url),
  })
  assert.equal(await auth(person, at), 'REDIRECT')
  const back = (await fetch(opened!, { redirect: 'manual' })).headers.get('location')!
  const authorizationCode = new URL(back).searchParams.get('code')!
  assert.equal(await auth(person, { ...at, authorizationCode }), 'AUTHORIZED')

  const [early, late] = [new OAuthKeeper(folder, site.url), new OAuthKeeper(folder, site.url)]
  const tokens = late.tokens.bind(late)
  const first = Promise.withResolvers<void>()
  // What it has read is renewed by the other, once, before it comes to use it.
  Object.assign(late, {
    tokens: async () => {
      const told = tokens()
      if (!site.asked.includes('refresh_token')) await auth(early, at).then(() => first.resolve())
      return told
    },
  })
  assert.equal(await auth(late, at), 'AUTHORIZED')
  await first.promise
  assert.deepEqual(site.asked.slice(-3), ['refresh_token', 'refresh_token', 'refresh_token'])
  assert.equal(await auth(early, at), 'AUTHORIZED')
  // What is refused for good is dropped.
  site.revoke()
  await assert.rejects(auth(early, at), LoginNeeded)
  assert.equal(late.clientInformation()?.client_id, person.clientInformation()?.client_id)
  assert.equal(person.tokens(), undefined)
})

test('what a file asks for is entered once, kept apart from it, and given to the server', async () => {
  const bench = await agentBench({ scripts: [] })
  after(() => bench.close())
  fs.writeFileSync(
    path.join(bench.folder, 'mcp-servers.json'),
    JSON.stringify({
      inputs: [
        { type: 'promptString', id: 'vault-token', description: 'Token of the vault', password: true },
      ],
      servers: {
        test: {
          command: process.execPath,
          args: [TEST_SERVER, variable('input:vault-token')],
          env: { PID_FILE: variable('input:vault-token') },
        },
        // Short: a list cuts long lines, and how long those above are depends on where this folder is.
        brief: { command: 'vault', args: [variable('input:vault-token')], disabled: true },
      },
    }),
  )
  const status = async () => (await bench.agent.servers()).find(({ id }) => id === 'test')
  assert.match(
    (await status())?.problem ?? '',
    /wants vault-token \(Token of the vault\).*recollect mcp-servers input vault-token/,
  )
  const file = path.join(bench.folder, 'entered-7Qx2')
  const env = { HOME: bench.folder, RECOLLECT_HOME: bench.folder, RECOLLECT_KEYCHAIN: 'off' }
  const { code, out, err } = await runCommand(
    process.execPath,
    [recollect, 'mcp-servers', 'input', 'vault-token'],
    env,
    file,
  )
  assert.equal(code, 0, err)
  assert.ok(!out.includes('7Qx2'))
  for (const more of [[], ['--json']]) {
    const listed = await runCommand(process.execPath, [recollect, 'mcp-servers', 'list', ...more], env)
    assert.ok(!listed.out.includes('7Qx2') && listed.out.includes(variable('input:vault-token')), listed.out)
  }
  assert.equal((await status())?.status, 'ready', (await status())?.problem)
  await until('the server got it', () => fs.existsSync(file))
})
