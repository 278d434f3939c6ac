import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '..', '..', '..')

test('the manifest lists the tools as they are', () => {
  const script = path.join(root, 'scripts', 'vscode-manifest.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

test('activation loads neither the database, nor schemas, nor any source', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(${JSON.stringify(path.join(root, 'vscode', 'src', 'extension.ts'))})
    console.log(JSON.stringify(loaded))
  `
  const hooks = path.join(import.meta.dirname, 'fake-host.ts')
  const output = execFileSync(process.execPath, ['--import', hooks, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  const loaded: string[] = JSON.parse(output)
  assert.ok(loaded.some((url) => url.endsWith('extension.ts')))
  const heavy = loaded.filter((url) =>
    /node:sqlite|\/zod\/|\/sources\/|\/archive\/|\/capabilities\/|modelcontextprotocol/.test(url),
  )
  assert.deepEqual(heavy, [])
})
