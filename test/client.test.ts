import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { clientDeclarations, generatedTypes } from '../scripts/client-types.ts'
import { recollect } from '../src/client/client.ts'
import { asked } from './client-example.ts'
import { site } from './http-kit.ts'
import { sampleMachine } from './mcp-kit.ts'
import { root } from './run-cli.ts'

test('the types are those of the schemas', () => {
  const folder = path.join(root, 'src', 'client', 'generated')
  const wanted = generatedTypes()
  assert.deepEqual(fs.readdirSync(folder).toSorted(), Object.keys(wanted).toSorted())
  for (const [name, text] of Object.entries(wanted)) {
    const written = fs.readFileSync(path.join(folder, name), 'utf8')
    assert.equal(written, text, 'node scripts/client-types.ts writes them')
    assert.doesNotMatch(written, /: unknown\b|: any\b/)
  }
})

test('the example compiles with the declarations of the package alone', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-client-'))
  try {
    fs.writeFileSync(path.join(folder, 'client.d.ts'), clientDeclarations())
    const example = fs.readFileSync(path.join(root, 'test', 'client-example.ts'), 'utf8')
    fs.writeFileSync(
      path.join(folder, 'example.ts'),
      example.replace('../src/client/client.ts', './client.js'),
    )
    const tsc = path.join(root, 'node_modules', '.bin', 'tsc')
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2022,dom',
      '--types',
      '',
    ]
    const { status, stdout } = spawnSync(tsc, [...options, path.join(folder, 'example.ts')], {
      encoding: 'utf8',
      cwd: folder,
    })
    assert.equal(status, 0, stdout)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

test('a program asks a running server', async () => {
  const alex = sampleMachine()
  await alex.run(['sync'])
  const served = await site(alex, { args: ['--no-sync'] })
  try {
    const lines = await asked(served.url.href, served.token, 'deadlock')
    assert.ok(
      lines.some((line) => /deadlock/i.test(line)),
      lines.join('\n'),
    )
    const archive = recollect({ url: served.url.href, token: served.token })
    await assert.rejects(archive.gather_chats({ chatIds: ['nowhere'] }), {
      code: 'SESSION_NOT_FOUND',
      status: 404,
    })
    const { success, error } = await archive.get_request({ index: 1, sessionId: 'nowhere' })
    assert.deepEqual([success, error], [false, 'Session not found: nowhere'])
  } finally {
    await served.close()
    alex.remove()
  }
})
