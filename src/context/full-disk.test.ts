import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { appendContext } from './append.ts'
import { contextPlace } from './place.ts'
import { contentOf, emptyWorkspace, entriesOf } from './test-kit.ts'

const WRITER = path.join(import.meta.dirname, 'test-writer.ts')

test('WRITE_ERROR where the file may not grow, and the old file stays whole', {
  skip: noLimits(),
}, async () => {
  const place = emptyWorkspace()
  fs.writeFileSync(place.file, '# Head\n')
  // Each entry is about 4 kB, the limit 64 kB (in blocks of 512 bytes, or of 1 kB in some shells).
  const { stdout } = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, WRITER, place.workspace, 'w', '40', '4000'],
    { encoding: 'utf8' },
  )
  const said = stdout.trim().split('\n')
  const failed = said.filter((line) => line.endsWith('\tWRITE_ERROR')).length
  assert.equal(said.length, 40)
  assert.ok(failed > 0 && failed < 40, `${failed} failed`)
  const entries = entriesOf(place)
  assert.equal(entries.length, 40 - failed)
  for (const { title, content } of entries) assert.ok(content.endsWith(`</${title}>`))
  assert.deepEqual(fs.readdirSync(place.workspace), ['context.md'], 'no half file is left')
})

test('WRITE_ERROR on a full disk, and the old file stays whole', async (t) => {
  const { workspace } = emptyWorkspace()
  if (!mountSmallDisk(workspace)) return t.skip('needs the right to mount a small disk')
  try {
    const place = contextPlace({ workspace, env: {} }, 'WRITE_ERROR')
    fs.writeFileSync(place.file, '# Head\n')
    let written = 0
    await assert.rejects(
      async () => {
        for (;;) {
          await appendContext(place, { title: `e${written}`, content: 'x'.repeat(20_000) })
          written++
        }
      },
      { code: 'WRITE_ERROR', message: /the disk is full/, hint: /Free some space/ },
    )
    assert.ok(written > 0)
    assert.equal(entriesOf(place).length, written)
    const whole = contentOf(place)
    await assert.rejects(appendContext(place, { content: 'x'.repeat(500_000) }), { code: 'WRITE_ERROR' })
    assert.equal(contentOf(place), whole)
    assert.deepEqual(fs.readdirSync(workspace), ['context.md'])
  } finally {
    execFileSync('umount', [workspace])
  }
})

function noLimits(): string | false {
  return process.platform === 'win32' ? 'Windows has no limit of file sizes' : false
}

function mountSmallDisk(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]).status === 0
}
