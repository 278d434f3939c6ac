import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

test('V8 knows all that it is told: it would complain on stderr, where clients show it', () => {
  const module = pathToFileURL(path.join(import.meta.dirname, 'little-memory.ts')).href
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--no-warnings',
      '--input-type=module',
      '-e',
      `const flags = await import(${JSON.stringify(module)})
       for (const set of [flags.LITTLE_MEMORY_LATER, flags.LITTLE_MEMORY, flags.LESS_MEMORY]) flags.setFlags(set)`,
    ],
    { encoding: 'utf8' },
  )
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})
