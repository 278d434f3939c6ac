/** What assistants install, built, validated by its maker's tool, and run: `npm run test:conformance`. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { capabilities } from '../../src/capabilities/index.ts'
import { answerOf, clientOf, closeAll, connected, ERAS, sampleMachine } from '../mcp-kit.ts'
import { root, runCommand } from '../run-cli.ts'
import { runTool } from '../run-tool.ts'

const alex = sampleMachine()
const unpacked = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bundle-'))
const dist = path.join(root, 'plugin', 'dist')
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
const packed = path.join(dist, `recollect-${version}.mcpb`)

before(async () => {
  const built = await runCommand(process.execPath, [path.join(root, 'scripts', 'build-plugin.ts')], {
    HOME: os.homedir(),
  })
  assert.equal(built.code, 0, built.err)
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(async () => {
  await closeAll()
  fs.rmSync(unpacked, { recursive: true, force: true })
  alex.remove()
})

test('the bundle is valid, holds every tool by name, and unpacks', async () => {
  const valid = await runTool('mcpb', ['validate', path.join(dist, 'bundle', 'manifest.json')], alex.home)
  assert.equal(valid.code, 0, valid.out + valid.err)
  const { code, out, err } = await runTool('mcpb', ['unpack', packed, unpacked], alex.home)
  assert.equal(code, 0, out + err)
  const { tools, icon } = JSON.parse(fs.readFileSync(path.join(unpacked, 'manifest.json'), 'utf8'))
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    capabilities.map(({ name }) => name).toSorted(),
  )
  assert.ok(fs.existsSync(path.join(unpacked, icon)))
  // Five of it are the lexicon and the table of meanings.
  assert.ok(fs.statSync(packed).size < 6_000_000)
})

/** How each says that the server is to be started, with its folder filled in. */
const STARTS: Record<string, () => string[]> = {
  'the unpacked bundle': () => {
    const { server } = JSON.parse(fs.readFileSync(path.join(unpacked, 'manifest.json'), 'utf8'))
    return filledIn(server.mcp_config.args, '__dirname', unpacked)
  },
  'the plugin for Claude Code and Copilot CLI': () =>
    filledIn(serverIn('.mcp.json').args, 'CLAUDE_PLUGIN_ROOT', plugin),
  'the plugin for Codex': () => {
    const [script, ...args] = serverIn('mcp.codex.json').args
    return [path.resolve(plugin, script!), ...args]
  },
  'the extension for Gemini CLI': () =>
    filledIn(filledIn(serverIn('gemini-extension.json').args, '/', path.sep), 'extensionPath', plugin),
}

const plugin = path.join(dist, 'marketplace', 'recollect')

function serverIn(file: string): { args: string[] } {
  return JSON.parse(fs.readFileSync(path.join(plugin, file), 'utf8')).mcpServers.recollect
}

function filledIn(args: string[], name: string, value: string): string[] {
  return args.map((arg) => arg.replaceAll(`\${${name}}`, value))
}

for (const [what, startedBy] of Object.entries(STARTS)) {
  describe(`the server in ${what}`, () => {
    for (const era of ERAS) {
      test(`serves the official client, ${era}`, async () => {
        const client: Client = clientOf(era)
        await connected(alex, era, { client, command: startedBy() })
        assert.equal(client.getServerVersion()?.version, version)
        assert.equal((await client.listTools()).tools.length, capabilities.length)
        const result = (await client.callTool({
          name: 'search_conversations',
          arguments: { query: 'deadlock ShareLock' },
        })) as CallToolResult
        assert.match(answerOf(result).results[0].title, /Deadlock/)
        assert.match(answerOf(result).coverage, /sync|up to date/)
        await client.close()
      })
    }
  })
}
