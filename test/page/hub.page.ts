import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { noServer, type TestServer, testServer } from '../../src/hub/test-kit.ts'
import { root } from '../run-cli.ts'
import { breaches, picture, type Site, sampleSite } from './page-kit.ts'

const skip = noServer() ?? false
let postgres: TestServer
let recollect: Site

before(async () => {
  if (skip) return
  postgres = await testServer()
  recollect = await sampleSite()
})
after(async () => {
  if (skip) return
  try {
    await recollect.close()
  } finally {
    await postgres.end()
  }
})

async function cli(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: recollect.home, RECOLLECT_HOME: recollect.archive }
  return (
    await promisify(execFile)(process.execPath, [path.join(root, 'bin', 'recollect'), ...args], { env })
  ).stdout
}

test('without a hub the page says how to have one; with one, how it is, and what would be shared', {
  skip,
}, async () => {
  const page = await recollect.open('/sources?tab=hub')
  await page.getByRole('heading', { name: 'This machine has not joined a hub' }).waitFor()
  const url = postgres.url(await postgres.database())
  await cli('hub', 'init', url, '--name', 'anna', '--machine', 'desk', '--json')
  await page.reload()
  await page.getByText('anna on desk').waitFor()
  const privacy = await recollect.open('/sources?tab=privacy')
  await privacy.getByText(/Through the hub: the chats you share go to \S+/).waitFor()
  assert.equal(await privacy.getByText('no request to any other server').count(), 0)
  await privacy.context().close()
  const team = page.getByRole('region', { name: 'team', exact: true })
  await team.getByText('Nothing is shared yet.').waitFor()
  await team.getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog')
  const choice = dialog.getByRole('combobox', { name: 'What to share' })
  const options = await choice.locator('option').allInnerTexts()
  const shop = options.find((option) => option.includes('('))!
  await choice.selectOption({ label: shop })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText(/would be shared, and what comes later/).waitFor()
  await dialog.getByText('Read by: nobody else yet, and whoever is invited later.').waitFor()
  await dialog.getByText('Only the names of tools are sent, not their results.').waitFor()
  assert.deepEqual(
    JSON.parse(await cli('hub', 'status', '--json')).spaces.find(
      ({ space }: { space: string }) => space === 'team',
    ).shares,
    [],
    'a preview shares nothing',
  )
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'hub-share')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await team.getByRole('button', { name: 'Stop sharing' }).waitFor()
  await picture(page, 'hub')
  await team.getByRole('button', { name: 'Stop sharing' }).click()
  await team.getByText('Nothing is shared yet.').waitFor()
  assert.deepEqual(await breaches(page), [])
})
