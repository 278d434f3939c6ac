import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { breaches, picture, type Site, site } from './page-kit.ts'

let recollect: Site
before(async () => {
  recollect = await site({ fill: () => {} })
})
after(() => recollect.close())

test('on a machine without chats it says where it looked, and has a sample to show', async () => {
  const page = await recollect.open()
  await page.getByRole('heading', { name: 'No chats on this machine yet', exact: true }).waitFor()
  await page.getByText('Claude Code', { exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'empty')
  await page.getByRole('button', { name: 'Explore a sample archive', exact: true }).click()
  await page.getByRole('link', { name: 'Memory leak in the tile export', exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Back to my chats', exact: true }).click()
  await page.getByRole('heading', { name: 'No chats on this machine yet', exact: true }).waitFor()
})
