import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { archived, picture, site, withSample } from './page-kit.ts'

/** What the page says of an archive that is replaced or read-only, and of what will vanish elsewhere. */

const DAY_MS = 86_400_000
const mounts = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

test('the page says that another archive took the place of its own, and shows that one', async (t) => {
  const recollect = await site()
  t.after(() => recollect.close())
  const page = await recollect.open()
  await archived(page, '13 chats').waitFor()
  await page.getByText('Up to date', { exact: true }).waitFor()
  const other = path.join(recollect.home, 'other')
  await openSqliteArchive(other).close()
  const said = page.getByText('The archive was replaced by another one.')
  let seconds = ''
  // A page that has just been opened may not be listening yet.
  for (let tries = 0; seconds === '' && tries < 5; tries++) {
    fs.copyFileSync(path.join(other, 'archive.db'), path.join(other, 'next.db'))
    const began = performance.now()
    fs.renameSync(path.join(other, 'next.db'), path.join(recollect.archive, 'archive.db'))
    await said.waitFor({ timeout: 30_000 }).then(
      () => {
        seconds = ((performance.now() - began) / 1000).toFixed(1)
      },
      () => {},
    )
  }
  assert.notEqual(seconds, '', 'the page says so')
  await picture(page, 'archive-replaced')
  // All is read again, into the one that is there.
  await archived(page, '13 chats').waitFor()
  await page.getByText('Up to date', { exact: true }).waitFor()
  console.log(`an archive that is replaced is said on the page after ${seconds} s`)
})

test('a read-only archive is searched on the page, which says that it is', { skip: !mounts }, async (t) => {
  const recollect = await site({ readOnly: true })
  t.after(() => recollect.close())
  const page = await recollect.open('/?q=deadlock')
  await page.getByText('Read-only: no new chats are added').waitFor()
  await page.getByRole('main').getByText('Deadlock between checkout').first().waitFor()
  await picture(page, 'archive-read-only')
  // What comes now cannot be archived, and the page says so of what will vanish.
  const project = path.join(recollect.home, '.claude', 'projects', '-home-me-new')
  const file = path.join(project, '6f1c1f5e-5d1c-4a57-9a57-0d7b8f0c1a01.jsonl')
  fs.mkdirSync(project, { recursive: true })
  const message = { role: 'user', content: 'what nobody has read yet' }
  fs.writeFileSync(file, `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', message })}\n`)
  const at = new Date(Date.now() - 28 * DAY_MS)
  fs.utimesSync(file, at, at)
  await page.goto(new URL('/sources', page.url()).href)
  await page
    .getByText(/30 days.*may disappear within a week, the first on .*1 of them is not archived yet\./)
    .first()
    .waitFor()
  await picture(page, 'vanishing-not-archived')
})

test('the page says what an assistant will delete and when, and that it stays here', async (t) => {
  const ages = [29, 10, 40]
  const recollect = await site({
    fill(home) {
      withSample(home)
      const files = fs
        .readdirSync(path.join(home, '.claude'), { recursive: true, encoding: 'utf8' })
        .filter((name) => /[0-9a-f-]{36}\.jsonl$/.test(name))
        .map((name) => path.join(home, '.claude', name))
      for (const [i, file] of files.entries()) {
        const at = new Date(Date.now() - (ages[i] ?? 1) * DAY_MS)
        fs.utimesSync(file, at, at)
      }
    },
  })
  t.after(() => recollect.close())
  const page = await recollect.open('/sources')
  await archived(page, '13 chats').waitFor()
  await page
    .getByText(/30 days.*2 files may disappear within a week, the first on .*They are kept here\./)
    .first()
    .waitFor()
  await picture(page, 'vanishing')
  const [gone] = fs
    .readdirSync(path.join(recollect.home, '.claude'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /[0-9a-f-]{36}\.jsonl$/.test(name))
  fs.rmSync(path.join(recollect.home, '.claude', gone!))
  await page.reload()
  await page.getByText('1 chat is only in the archive: the files are gone.').waitFor()
  await picture(page, 'vanished')
})
