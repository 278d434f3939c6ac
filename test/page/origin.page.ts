import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Lease } from '../../src/archive/archive.ts'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { breaches, found, picture, type Site, sampleSite } from './page-kit.ts'

let recollect: Site
before(async () => {
  recollect = await sampleSite()
  const archive = openSqliteArchive(recollect.archive)
  const hub = (await archive.takeLease('test', 'hub')) as Lease
  await archive.applyRemote(
    {
      ...{ space: 'team', kind: 'team', from: 0, to: 1 },
      chats: [
        {
          author: 'anna',
          machine: 'desk',
          chat: {
            ...{ source: 'codex', id: 'hers', title: 'Quokka cache', workspace: '/home/anna/shop' },
            ...{
              repository: 'git@github.com:acme/shop.git',
              resume: 'codex resume hers',
              updatedAt: Date.now(),
            },
          },
          messages: [
            {
              id: 'h1',
              order: 0,
              role: 'user',
              kind: 'request',
              text: 'Where is the quokka cache?',
              createdAt: Date.now(),
            },
            {
              id: 'h2',
              order: 1,
              role: 'assistant',
              kind: 'answer',
              text: 'In redis.',
              createdAt: Date.now(),
            },
          ],
        },
      ],
    },
    hub,
  )
  await archive.releaseLease(hub)
  await archive.close()
})
after(() => recollect.close())

test("a colleague's chat is shown as theirs: in the list, among results, and to read", async () => {
  const page = await recollect.open('/')
  const row = page.locator('.recent').filter({ hasText: 'Quokka cache' })
  await row.getByText('anna on desk').waitFor()
  await page.goto('/?q=quokka')
  const result = page.locator('.result').filter({ hasText: 'Quokka cache' })
  await result.getByText('anna on desk').waitFor()
  assert.deepEqual(await result.locator('.snippet-role').allInnerTexts(), ['anna', 'Answer'])
  await picture(page, 'search-author')
  await result.getByRole('link', { name: 'Quokka cache', exact: true }).click()
  await page.locator('.reader-facts').getByText('anna on desk').waitFor()
  await page.getByRole('link', { name: 'acme/shop', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'anna', exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0)
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'reader-author')
  // On a phone too, where there is room for little.
  await page.setViewportSize({ width: 390, height: 800 })
  await page.locator('.reader-facts').getByText('anna on desk').waitFor()
  await page.goto('/')
  await row.getByText('anna on desk').waitFor()
})

test('chats are narrowed by repository, person and machine, also in what was used', async () => {
  const page = await recollect.open('/?q=the')
  await page.locator('.result').first().waitFor()
  await page.getByRole('combobox', { name: 'Person' }).selectOption('anna')
  await found(page, '1 chat').waitFor()
  assert.match(page.url(), /author=anna/)
  await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: 'Me' })
  await page.locator('.result').nth(1).waitFor()
  assert.equal(await page.getByText('anna on desk').count(), 0)
  await page.goto('/?repository=acme%2Fshop')
  await page.getByRole('link', { name: 'Quokka cache', exact: true }).waitFor()
  await page.goto('/?machine=this')
  await page.locator('.recent').nth(3).waitFor()
  assert.equal(await page.getByText('Quokka cache').count(), 0)
  await page.goto('/dashboard?author=anna')
  assert.equal(await page.getByRole('combobox', { name: 'Person' }).inputValue(), 'anna')
})
