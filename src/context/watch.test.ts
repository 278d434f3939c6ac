import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withLinks } from '../platform/test-links.ts'
import { appendContext, initContext } from './append.ts'
import type { Place } from './place.ts'
import { emptyWorkspace, workspaceWith } from './test-kit.ts'
import { watchContext } from './watch.ts'

/** On a busy machine an event may take its time; where none may come, nobody waits for it. */
const PATIENCE_MS = 20_000
/** Changes within so long are told once. */
const COALESCE_MS = 150

/** How often it told of the work, and how long the work took. */
async function told(
  place: Place,
  work: () => Promise<unknown> | unknown,
  patience = PATIENCE_MS,
): Promise<{ times: number; took: number }> {
  let times = 0
  const watching = watchContext(place, () => {
    times++
  })
  try {
    await sleep(50)
    const begun = performance.now()
    await work()
    const done = performance.now()
    while (times === 0 && performance.now() - done < patience) await sleep(20)
    await sleep(400)
    return { times, took: performance.now() - begun }
  } finally {
    watching.close()
  }
}

test('an append is told, and a burst of them in a few words', async () => {
  const place = workspaceWith('')
  const { times } = await told(place, () => appendContext(place, { content: 'x' }))
  assert.equal(times, 1)
  const burst = async () => {
    for (let n = 0; n < 20; n++) await appendContext(place, { content: 'x' })
  }
  const many = await told(place, burst)
  const most = Math.ceil(many.took / COALESCE_MS)
  assert.ok(many.times >= 1 && many.times <= most, `${many.times} for 20 appends in ${many.took} ms`)
})

test('a file that appears, is edited in place, or goes is told', async () => {
  const place = emptyWorkspace()
  assert.equal((await told(place, () => initContext(place, {}))).times, 1)
  assert.equal((await told(place, () => fs.appendFileSync(place.file, 'by hand\n'))).times, 1)
  assert.equal((await told(place, () => fs.rmSync(place.file))).times, 1)
})

test('other files, locks and a write that changes nothing are not told', async () => {
  const place = workspaceWith('x')
  assert.equal(
    (await told(place, () => fs.writeFileSync(path.join(place.workspace, 'other.md'), 'x'), 1_000)).times,
    0,
  )
  assert.equal((await told(place, () => fs.readFileSync(place.file), 1_000)).times, 0)
})

test('the file behind a link is watched', withLinks, async () => {
  const place = emptyWorkspace()
  fs.mkdirSync(path.join(place.workspace, 'docs'))
  fs.writeFileSync(path.join(place.workspace, 'docs', 'real.md'), '')
  fs.symlinkSync('docs/real.md', place.file)
  assert.equal((await told(place, () => appendContext(place, { content: 'x' }))).times, 1)
})

test('watching costs nothing while nothing happens: no clock runs, the system tells', () => {
  const place = workspaceWith('x')
  const running = () => process.getActiveResourcesInfo()
  const before = running()
  const watching = watchContext(place, () => {})
  const added = running()
  for (const each of before) added.splice(added.indexOf(each), 1)
  watching.close()
  assert.deepEqual(added, ['FSEventWrap'])
})
