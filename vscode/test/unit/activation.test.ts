import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { syncOnce } from '../../../src/sync/once.ts'
import { host } from './fake-vscode.ts'
import { openView, openWindow, until } from './kit.ts'

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

test('the status bar follows the archive', async () => {
  await using window = await openWindow({ synced: false })
  const item = host.statusItems.at(-1)!
  const secretary = await window.api.secretary()
  await syncOnce({ archive: secretary.archive, ...secretary.readable() })
  await until('the number of chats', () => /Recollect \d+$/.test(item.text))
})

test('the walkthrough is opened with what was done ticked', async () => {
  await using window = await openWindow()
  await openView()
  await window.api.dialogs.search('deadlock')
  await window.command('openWalkthrough')
  const told = host.executed.flatMap(([name, key, value]) => (name === 'setContext' ? [[key, value]] : []))
  for (const step of ['recollect.synced', 'recollect.viewed', 'recollect.searched']) {
    const values = told.filter(([key]) => key === step).map(([, value]) => value)
    assert.deepEqual(values.slice(-2), [undefined, true], step)
  }
})
