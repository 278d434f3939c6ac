import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { root } from './run-cli.ts'

/** The page says how to add a capability; here it is done as it says, in a copy of the sources. */
const page = fs.readFileSync(path.join(root, 'docs', 'adding-a-capability.md'), 'utf8')
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-capability-'))
after(() => fs.rmSync(copy, { recursive: true, force: true }))

const read = (file: string) => fs.readFileSync(path.join(copy, file), 'utf8')

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  assert.equal(status, 0, `${args}: ${stdout}${stderr}`)
  return stdout
}

before(() => {
  const isTest = (file: string) => /\.test\.ts$|[\\/]fixtures([\\/]|$)/.test(file)
  for (const name of ['src', 'scripts', 'vscode', 'docs', 'data', 'package.json', 'README.md'])
    fs.cpSync(path.join(root, name), path.join(copy, name), {
      recursive: true,
      filter: (file) => !isTest(file) && !file.includes('node_modules'),
    })
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction')
  const [, file, text] = /^```ts (src\/\S+)\n(.*?)^```$/ms.exec(page)!
  fs.writeFileSync(path.join(copy, file!), text!)
  const list = path.join(copy, 'src', 'capabilities', 'index.ts')
  const listed = fs
    .readFileSync(list, 'utf8')
    .replace(
      'import { exportChats }',
      "import { countWords } from './count-words.ts'\nimport { exportChats }",
    )
    .replace('\n  exportChats,\n', '\n  exportChats,\n  countWords,\n')
  fs.writeFileSync(list, listed)
})

test('what is written down of the capabilities is no longer up to date, and each script brings it up to date', () => {
  for (const script of ['vscode-manifest', 'client-types', 'source-lists']) {
    const file = path.join('scripts', `${script}.ts`)
    const stale = spawnSync(process.execPath, [file, '--check'], { cwd: copy, encoding: 'utf8' })
    assert.equal(stale.status, 1, `${script}: ${stale.stdout}${stale.stderr}`)
    run(file)
  }
  const { contributes } = JSON.parse(read('vscode/package.json'))
  const tool = contributes.languageModelTools.find((each: { name: string }) => /count_words$/.test(each.name))
  assert.match(
    tool.modelDescription,
    /How many words were said in a chat\.[\s\S]*`chatId` required[\s\S]*`words`/,
  )
  assert.deepEqual(tool.inputSchema.required, ['chatId'])
  assert.equal(JSON.parse(read('vscode/package.nls.json'))['tool.count_words.title'], 'Count words')
  assert.match(
    read('src/client/generated/recall-answers.ts'),
    /count_words: \{\n {4}chatId: string\n {4}words: number\n/,
  )
  assert.match(
    read('docs/mcp.md'),
    /^\| `count_words` \| recall \| How many words were said in a chat\. \|$/m,
  )
})

test('every face offers it, with nothing else touched', () => {
  const script = `
    import { capabilities } from './src/capabilities/index.ts'
    import { allRoutes } from './src/http/routes.ts'
    import { toolList } from './src/mcp/tools.ts'
    import { ownTools } from './src/agent/own-tools.ts'
    import { openSqliteArchive } from './src/archive/sqlite/index.ts'
    import { call } from './src/service/service.ts'
    import { syncOnce } from './src/sync/once.ts'
    import { sources } from './src/sources/index.ts'
    const [home, folder] = ${JSON.stringify([path.join(root, 'sample'), path.join(copy, 'archive')])}
    const machine = { platform: 'linux', home, env: {} }
    const archive = openSqliteArchive(folder)
    await syncOnce({ archive, sources, machine })
    const service = { archive, env: {}, readable: async () => ({ sources, machine }), capabilities: async () => capabilities, syncing: () => undefined }
    const { answer } = await call(service, 'count_words', { chatId: 'b6fb68b8' }, { kind: 'agent', budget: 10_000 })
    const routes = allRoutes(capabilities, folder)
    const own = routes.find(({ path }) => path === '/openapi.json')
    const openapi = await own.run({ request: new Request('http://127.0.0.1/openapi.json'), params: {}, isStillIn: () => true, entry: { owner: true, client: 'test' }, backends: { current() {} } })
    const tools = ownTools({ archive, sources, machine, env: {}, cwd: folder }, () => 10_000)
    console.log(JSON.stringify({
      answer,
      rest: routes.filter(({ path }) => path === '/api/v1/count_words').map(({ method }) => method).sort(),
      openapi: Object.keys(openapi.paths['/api/v1/count_words'] ?? {}).sort(),
      mcp: toolList(capabilities).find(({ name }) => name === 'count_words')?.title,
      agent: tools.some(({ tool }) => tool === 'count_words'),
    }))
    await archive.close()`
  const told = JSON.parse(run('--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script))
  assert.match(told.answer.chatId, /^b6fb68b8/)
  assert.ok(told.answer.words > 400, JSON.stringify(told.answer))
  assert.deepEqual(
    [told.rest, told.openapi],
    [
      ['get', 'post'],
      ['get', 'post'],
    ],
  )
  assert.equal(told.mcp, 'Count words')
  assert.equal(told.agent, true)
})
