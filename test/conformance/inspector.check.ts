/** What the protocol's inspector finds in our server as users start it: `npm run test:conformance`. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ERAS, type Served, sampleMachine, served } from '../mcp-kit.ts'
import { root } from '../run-cli.ts'
import { runTool } from '../run-tool.ts'

const alex = sampleMachine()
let server: Served
let token: string

before(async () => {
  assert.equal((await alex.run(['sync'])).code, 0)
  token = (await alex.run(['token', 'create', 'inspector'])).out.trim()
  server = await served(alex, ['--http', '0', '--no-sync'])
})
after(() => {
  server.child.kill('SIGKILL')
  alex.remove()
})

const TRANSPORTS: Record<string, () => string[]> = {
  stdio: () => [
    ...[process.execPath, path.join(root, 'bin', 'recollect'), 'mcp', '--no-sync'],
    ...['-e', `HOME=${alex.home}`, '-e', `RECOLLECT_HOME=${alex.archive}`, '--cwd', alex.project],
  ],
  http: () => ['--server-url', server.url.href, '--header', `Authorization: Bearer ${token}`],
}

const REQUESTS: [args: string[], answer: RegExp][] = [
  // Strict: any schema that a client might not understand is an error or a warning.
  [['tools/list', '--strict'], /"search_conversations"/],
  [
    ['tools/call', '--tool-name', 'search_conversations', '--tool-arg', 'query=deadlock ShareLock'],
    /b6fb68b8/,
  ],
  [['resources/list'], /context:\/\/sessions\/b6fb68b8/],
  [['resources/templates/list'], /context:\/\/sessions\/\{sessionId\}/],
  [['resources/read', '--uri', 'context://sessions?source=vscode&limit=2'], /sessions/],
  [['prompts/list'], /read_and_continue/],
  [['prompts/get', '--prompt-name', 'recall', '--prompt-args', 'topic=deadlock'], /search_conversations/],
]

for (const [transport, target] of Object.entries(TRANSPORTS)) {
  for (const era of ERAS) {
    describe(`the inspector, over ${transport}, ${era}`, { concurrency: 2 }, () => {
      for (const [[method, ...args], answer] of REQUESTS) {
        test(`${method} gives what it should, without an error or a warning`, async () => {
          const { code, out, err } = await runTool(
            'mcp-inspector',
            [
              ...['--cli', ...target(), '--protocol-era', era, '--format', 'json'],
              ...['--method', method!, ...args],
            ],
            alex.home,
          )
          assert.equal(err, '')
          assert.equal(code, 0)
          assert.match(out, answer)
        })
      }
    })
  }
}
