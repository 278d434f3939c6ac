import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { adminOf, noServer, type TestServer, testServer } from '../src/hub/test-kit.ts'
import { machine, recollect, root, runCommand } from './run-cli.ts'

/**
 * The way of a new team from nothing to a colleague's chat, as docs/hub.md shows it: its `session` blocks are run on two
 * made-up machines and a real server. `…` stands for anything. UPDATE_DOCS=1 writes the real output in.
 */
const page = path.join(root, 'docs', 'hub.md')
const skip = noServer() ?? (process.platform === 'win32' ? 'shown as in a shell of Linux and macOS' : false)

test('docs/hub.md: a new team finds a chat of a colleague', { skip, timeout: 300_000 }, async () => {
  const server = await testServer()
  after(() => server.end())
  const url = await leastRights(server)
  const [ada, bob] = [machine(), machine()]
  after(() => {
    ada.remove()
    bob.remove()
  })
  fs.cpSync(path.join(root, 'sample'), ada.home, { recursive: true })
  const text = fs.readFileSync(page, 'utf8')
  let invitation = ''
  const run = async (who: string, command: string) => {
    const { home, archive } = who === 'ada' ? ada : bob
    const env = { HOME: home, RECOLLECT_HOME: archive, HUB: url, INVITATION: invitation, TZ: 'UTC' }
    const line = command.replace(/^recollect /, `"${process.execPath}" "${recollect}" `)
    const { code, out, err } = await runCommand('sh', ['-c', line], env, '', home)
    assert.equal(code, 0, `${command}: ${out}${err}`)
    invitation = /recollect-hub:[\w-]+/.exec(out)?.[0] ?? invitation
    return (out + err)
      .replaceAll(home, '~')
      .replaceAll(
        /(?:hub_\d+_\d+|recollect) on the socket in [\w/-]+|[\w.-]+:\d+\/hub_\d+_\d+/g,
        'db.example.com:5432/recollect',
      )
      .replace(/recollect-hub:[\w-]+/, 'recollect-hub:eyJob3N0Ijoi…')
      .replace(/([a-z2-9]{5}-){3}[a-z2-9]{5}/, '…')
      .replace(/\b(just now|\d+ s ago)\b/g, '…')
      .replaceAll(archive, '~/.local/share/recollect')
  }
  await run('ada', 'recollect sync')
  let updated = text
  for (const [block, body = ''] of text.matchAll(/^```session\n([\s\S]*?)^```$/gm)) {
    let shown = ''
    for (const [, who = '', command = '', output = ''] of body.matchAll(
      /^(ada|bob)\$ (.*)\n((?:(?!ada\$|bob\$).*\n)*)/gm,
    )) {
      const real = (await run(who, command)).replace(/\n*$/, '\n')
      if (!process.env.UPDATE_DOCS)
        assert.match(real.trimEnd(), pattern(output), `${who}$ ${command}\n${real}`)
      shown += `${who}$ ${command}\n${real}`
    }
    updated = updated.replace(block, () => `\`\`\`session\n${shown}\`\`\``)
  }
  if (process.env.UPDATE_DOCS) fs.writeFileSync(page, updated)
  assert.match(
    await run('bob', 'recollect search "deadlock refund" --limit 1'),
    /Deadlock in the refund worker/,
  )
  // The file that holds the login and the keys is its owner's alone.
  assert.equal(fs.statSync(path.join(bob.archive, 'hub.json')).mode & 0o777, 0o600)
  const left = JSON.parse(await run('bob', 'recollect hub leave --yes --json'))
  assert.ok(left.chats > 0)
  assert.equal(fs.existsSync(path.join(bob.archive, 'hub.json')), false)
})

/** A database of somebody who may make roles and no more, as the guide says. */
async function leastRights(server: TestServer): Promise<string> {
  if (process.env.RECOLLECT_TEST_PG) return server.url(await server.database())
  const { admin } = await adminOf(server, 'postgres')
  await admin.query(`CREATE ROLE recollect_admin LOGIN CREATEROLE PASSWORD 'only-for-tests'`)
  await admin.query('CREATE DATABASE recollect OWNER recollect_admin')
  await admin.close()
  return server.url('recollect').replace('postgres@', 'recollect_admin:only-for-tests@')
}

function pattern(output: string): RegExp {
  const parts = output.trimEnd().split('…')
  return new RegExp(
    `^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*?')}$`,
  )
}
