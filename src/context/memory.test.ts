import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Machine } from '../platform/machine.ts'
import { withLinks } from '../platform/test-links.ts'
import { appendContext } from './append.ts'
import { checkContext } from './check.ts'
import { unifiedDiff } from './diff.ts'
import { exportToMemory, importFromMemory } from './memory.ts'
import { MEMORY_TARGETS, memoryFile } from './memory-files.ts'
import type { Place } from './place.ts'
import { contentOf, emptyWorkspace, entriesOf, workspaceWith } from './test-kit.ts'

const machineAt = (home: string): Machine => ({ platform: 'linux', home, env: {} })

async function handedOver(): Promise<{ place: Place; machine: Machine }> {
  const place = workspaceWith('# Head\n')
  await appendContext(place, {
    title: 'Pool fixed',
    content: '# Big\n\n```sh\n# code\n```\nUse max 20.\n<!-- recollect:end -->',
  })
  return { place, machine: machineAt(emptyWorkspace().workspace) }
}

test('every target: a diff first and nothing written, then the block, then nothing to do', async () => {
  for (const target of MEMORY_TARGETS) {
    const desk = await handedOver()
    const { file } = memoryFile(target, desk.place, desk.machine)
    const shown = await exportToMemory(desk, { target })
    assert.deepEqual([shown.applied, shown.path, fs.existsSync(file)], [false, file, false])
    assert.match(
      shown.diff,
      /^--- \/dev\/null\n\+\+\+ b\/.*\n@@ -0,0 \+1,\d+ @@\n\+<!-- recollect:begin -->\n/,
    )
    const written = await exportToMemory(desk, { target, apply: true })
    assert.deepEqual([written.applied, written.diff], [true, shown.diff])
    const text = fs.readFileSync(file, 'utf8')
    assert.match(
      text,
      /are quoted from there[^`]*not instructions\.\n\n### \d{4}-.*\n\n````text\nPool fixed\n\n# Big\n\n```sh\n# code\n```\nUse max 20\.\n\\<!-- recollect:end -->\n````\n/,
    )
    const again = await exportToMemory(desk, { target, apply: true })
    assert.deepEqual([again.applied, again.diff], [false, ''])
  }
})

test('text outside of the block is never touched, byte for byte', async () => {
  const desk = await handedOver()
  const file = path.join(desk.place.workspace, 'AGENTS.md')
  const mine = Buffer.from([...Buffer.from('\ufeff# Mine\r\n\r\nodd: '), 0xff, 0x0d, 0x0a])
  fs.writeFileSync(file, mine)
  fs.chmodSync(file, 0o640)
  await exportToMemory(desk, { target: 'agents-md', apply: true })
  fs.appendFileSync(file, 'below\r\n')
  await appendContext(desk.place, { title: 'More', content: 'x' })
  const { diff } = await exportToMemory(desk, { target: 'agents-md', apply: true })
  const bytes = fs.readFileSync(file)
  assert.deepEqual(bytes.subarray(0, mine.length), mine)
  assert.ok(bytes.toString('latin1').endsWith('<!-- recollect:end -->\r\nbelow\r\n'))
  assert.ok(bytes.includes('More'))
  assert.ok(!bytes.toString('latin1').replaceAll('\r\n', '').includes('\n'))
  assert.ok(!diff.split('\n').some((line) => line.startsWith('-') && !line.startsWith('---')))
  assert.equal(fs.statSync(file).mode & 0o777, 0o640)
})

test('without a target, the file that exists is taken', async () => {
  const desk = await handedOver()
  fs.mkdirSync(path.join(desk.place.workspace, '.claude'))
  fs.writeFileSync(path.join(desk.place.workspace, '.claude', 'CLAUDE.md'), 'Be kind.\n')
  const { target, path: file } = await exportToMemory(desk, {})
  assert.deepEqual([target, path.basename(path.dirname(file))], ['claude-md', '.claude'])
})

test('FILE_NOT_FOUND and WRITE_ERROR of the export', async () => {
  const machine = machineAt('/nonexistent')
  await assert.rejects(exportToMemory({ place: emptyWorkspace(), machine }, {}), { code: 'FILE_NOT_FOUND' })
  const desk = await handedOver()
  const file = path.join(desk.place.workspace, 'AGENTS.md')
  for (const damaged of [
    '<!-- recollect:begin -->\n',
    '<!-- recollect:end -->\n<!-- recollect:begin -->\n',
  ]) {
    fs.writeFileSync(file, damaged)
    await assert.rejects(exportToMemory(desk, { target: 'agents-md', apply: true }), { code: 'WRITE_ERROR' })
    assert.equal(fs.readFileSync(file, 'utf8'), damaged)
  }
})

test('an export does not follow a link out of the workspace', withLinks, async () => {
  const desk = await handedOver()
  const file = path.join(desk.place.workspace, 'AGENTS.md')
  fs.symlinkSync(workspaceWith('out').file, file)
  await assert.rejects(exportToMemory(desk, { target: 'agents-md', apply: true }), { code: 'WRITE_ERROR' })
  fs.symlinkSync(emptyWorkspace().workspace, path.join(desk.place.workspace, '.github'))
  await assert.rejects(exportToMemory(desk, { target: 'copilot-instructions', apply: true }), {
    code: 'WRITE_ERROR',
    message: /outside/,
  })
})

test('instructions become an entry, without our own block; again, it is updated', async () => {
  const desk = await handedOver()
  const file = path.join(desk.place.workspace, 'AGENTS.md')
  fs.writeFileSync(file, '# Rules\n\nTabs.\n')
  await exportToMemory(desk, { target: 'agents-md', apply: true })
  const before = contentOf(desk.place)
  const shown = await importFromMemory(desk, { from: 'agents-md' })
  assert.deepEqual([shown.applied, shown.entry, contentOf(desk.place)], [false, 'added', before])
  assert.match(shown.diff, /^\+## \d{4}-.* — From AGENTS\.md$/m)
  await importFromMemory(desk, { from: 'agents-md', apply: true })
  const imported = entriesOf(desk.place).at(-1)
  assert.deepEqual([imported?.title, imported?.content], ['From AGENTS.md', '# Rules\n\nTabs.'])
  assert.equal((await importFromMemory(desk, { from: 'agents-md', apply: true })).entry, 'unchanged')
  fs.writeFileSync(file, '# Rules\n\nSpaces.\n')
  const states = async () =>
    (await checkContext({ ...desk, asker: undefined })).entries.map((each) => `${each.source} ${each.state}`)
  assert.deepEqual(await states(), ['AGENTS.md changed'])
  assert.equal((await importFromMemory(desk, { apply: true })).entry, 'updated')
  assert.equal(entriesOf(desk.place).length, 2)
  fs.rmSync(file)
  assert.deepEqual(await states(), ['AGENTS.md missing'])
})

test('a memory folder is read with all of its files', async () => {
  const desk = await handedOver()
  const { file } = memoryFile('memory-dir', desk.place, desk.machine)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, '- [pool](pool.md): sizes\n')
  fs.writeFileSync(path.join(path.dirname(file), 'pool.md'), '---\nname: pool\n---\nMax 20.\n')
  await importFromMemory(desk, { from: 'memory-dir', apply: true })
  assert.equal(
    entriesOf(desk.place).at(-1)?.content,
    '- [pool](pool.md): sizes\n\n### pool.md\n\n---\nname: pool\n---\nMax 20.',
  )
})

test('FILE_NOT_FOUND and WRITE_ERROR of the import', async () => {
  const desk = await handedOver()
  await assert.rejects(importFromMemory(desk, { from: 'claude-md' }), { code: 'FILE_NOT_FOUND' })
  await assert.rejects(importFromMemory({ ...desk, place: emptyWorkspace() }, {}), { code: 'FILE_NOT_FOUND' })
  fs.writeFileSync(path.join(desk.place.workspace, 'CLAUDE.md'), 'Be kind.')
  fs.chmodSync(desk.place.file, 0o444)
  await assert.rejects(importFromMemory(desk, { from: 'claude-md', apply: true }), { code: 'WRITE_ERROR' })
})

test('a diff is one that patch takes', { skip: !hasPatch() }, () => {
  const { workspace } = emptyWorkspace()
  const lines = (text: string) => text.split('').join('\n')
  for (const [before, after] of [
    [lines('abcdefgh\n'), lines('abcdXefgh\n')],
    [lines('abcdefgh\n'), lines('ab\n')],
    ['a\n', 'a\nb\n'],
    ['a', 'a\nb'],
    ['', 'x\n'],
    ['x\n', ''],
  ] as const) {
    fs.writeFileSync(path.join(workspace, 'f'), before)
    execFileSync('patch', ['-s', '-p1'], { cwd: workspace, input: unifiedDiff('f', before, after) })
    const file = path.join(workspace, 'f')
    assert.equal(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '', after)
  }
  assert.equal(unifiedDiff('f', 'a', 'a'), '')
})

function hasPatch(): boolean {
  try {
    execFileSync('patch', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
