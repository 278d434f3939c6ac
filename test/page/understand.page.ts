import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { breaches, picture, type Site, sampleSite, shifts } from './page-kit.ts'

const CHECKOUT = 'claude-code:b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const REFUND = 'copilot-cli:11d22106-a816-4cce-886d-1987be44d879'
const COMPARED = `/compare?chat=${CHECKOUT}&chat=${REFUND}`

let recollect: Site
before(async () => {
  recollect = await sampleSite()
})
after(() => recollect.close())

/** What sticks out of the window, as long as nothing around it scrolls. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => document.documentElement.scrollWidth > innerWidth
    && element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.outerHTML.slice(0, 120))`

/** Opens an address in both themes, checks what must hold on every page, and keeps a picture. */
async function looked(name: string, at: string, ready: (page: Page) => Promise<void>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await recollect.open(at, { colorScheme })
    await ready(page)
    assert.deepEqual(await breaches(page), [], `${name} ${colorScheme}`)
    assert.ok((await shifts(page)) < 0.05, `${name}: ${await shifts(page)}`)
    await picture(page, `${name}-${colorScheme}`)
    await page.context().close()
  }
}

test('two chats stand level where they say the same', async () => {
  await looked('compare', COMPARED, async (page) => {
    await page.getByText('CONTEXT: while updating tuple (812,17)').waitFor()
    assert.equal(await page.locator('.compare-shared .compare-number').count(), 4, 'two passages, twice')
  })
  const page = await recollect.open(COMPARED)
  const [left, right] = await Promise.all(
    [0, 1].map((at) => page.locator('.compare-shared').nth(at).boundingBox()),
  )
  assert.equal(left?.y, right?.y)
  assert.ok((await page.locator('mark').allInnerTexts()).some((text) => text.includes('deadlock detected')))
  await page.getByRole('tab', { name: /Shared/ }).click()
  await page.getByText('A deadlock needs two transactions that take the same locks').waitFor()
  assert.match(page.url(), /view=common/)
  await page.getByRole('tab', { name: 'Only here', exact: true }).click()
  await page.getByText('How would I see such a thing coming next time?').waitFor()
  await page.getByRole('tab', { name: 'In time order', exact: true }).click()
  await page.getByRole('link', { name: /#12/ }).first().click()
  await page.waitForURL(/\/chat\/claude-code:b6fb68b8.*#m12$/)
})

test('chats are chosen by searching for them', async () => {
  const page = await recollect.open('/compare')
  await page.getByRole('button', { name: 'Add a chat', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Find a chat', exact: true }).fill('refund worker')
  await page.getByRole('checkbox', { name: /Deadlock in the refund worker/ }).check()
  await page.getByRole('searchbox', { name: 'Find a chat', exact: true }).fill('')
  await page.getByRole('checkbox', { name: /Memory leak in the tile export/ }).check()
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await page
    .getByText('These chats have no passage in common')
    .or(page.getByRole('tab', { name: /Shared/ }))
    .waitFor()
  await page.getByRole('button', { name: 'Remove Deadlock in the refund worker', exact: true }).click()
  await page.getByText('Choose two chats or more').waitFor()
})

test('evidence of a search: each thing once, by kind, filtered and copied', async () => {
  await looked('evidence', '/evidence?q=deadlock', async (page) => {
    await page.getByText('/home/alex/shop/src/checkout/reserve.ts').waitFor()
  })
  const page = await recollect.open('/evidence?q=deadlock')
  await page.getByRole('tab', { name: /Commands/ }).click()
  await page.getByText('npm test -- --test-name-pattern="refund|checkout" 2>&1 | tail -n 8').waitFor()
  assert.equal(await page.locator('.evidence-item').count(), 3)
  await page.getByRole('searchbox', { name: 'Filter', exact: true }).fill('grep')
  await page.locator('.evidence-item').nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Copy all', exact: true }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  assert.match(await page.evaluate('navigator.clipboard.readText()'), /^grep -n 'update orders/)
  assert.match(page.url(), /kind=command&filter=grep/)
  await page.locator('.evidence-item a').first().click()
  await page.waitForURL(/\/chat\/11d22106.*#m1$/)
  await page.getByText('Two days ago we fixed the deadlock').first().waitFor()
})

test('the dashboard adds up, day by day and model by model', async () => {
  await looked('dashboard', '/dashboard', async (page) => {
    await page.getByText('claude-sonnet-4-6').first().waitFor()
    await page.locator('.dashboard-chart canvas').waitFor()
  })
  const page = await recollect.open('/dashboard')
  await page.getByText('38 requests from you').waitFor()
  const total = (name: string) =>
    page.locator('.dashboard-total', { has: page.locator('dt', { hasText: name }) })
  assert.match((await total('Messages').textContent()) ?? '', /14138 requests from you/)
  assert.match((await total('Cost').textContent()) ?? '', /\$1\.08/)
  assert.match((await total('Tool calls').textContent()) ?? '', /57no failures/)
  await page.getByRole('tab', { name: 'Assistant', exact: true }).click()
  await page.locator('.dashboard-bar', { hasText: 'Copilot CLI' }).waitFor()
  await page.getByRole('tab', { name: 'Cost', exact: true }).click()
  assert.match(page.url(), /by=source/)
  assert.match(page.url(), /measure=cost/)
  await page.getByRole('button', { name: 'As a table', exact: true }).first().click()
  await page.getByRole('cell', { name: '$0.11', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Assistant', exact: true }).selectOption({ label: 'Copilot CLI' })
  await page.locator('.dashboard-total', { hasText: '42' }).first().waitFor()
})

test('charts are read with the keyboard', async () => {
  const page = await recollect.open('/dashboard?from=2026-06-01&to=2026-06-05')
  await page.getByText('on 2 of 5 days').waitFor()
  await page.locator('.dashboard-calendar').focus()
  for (let day = 0; day < 5; day++) await page.keyboard.press('ArrowUp')
  await page.getByText('Monday, June 1, 2026: 0 messages').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByText('Tuesday, June 2, 2026: 19 messages').waitFor()
  await page.locator('.dashboard-chart').focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Jun 5: 0').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Jun 4: 15').waitFor()
  await page.goto('/dashboard?range=7d')
  await page.getByText('No data for this period').waitFor()
})

test('every page works at the width of a phone, and in Russian and Chinese', async () => {
  for (const [language, ask] of [
    ['ru', 'Спросить'],
    ['zh', '提问'],
  ] as const) {
    for (const at of [COMPARED, '/evidence?q=deadlock', '/dashboard', '/context', '/ask', '/sources']) {
      const page = await recollect.open(at, { language, viewport: { width: 360, height: 740 } })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.equal(await page.evaluate('document.documentElement.lang'), language)
      assert.deepEqual(await page.evaluate(TOO_WIDE), [], `${at} in ${language}`)
      assert.deepEqual(await breaches(page), [], `${at} ${language}`)
      if (at === '/ask') assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), ask)
      await picture(page, `phone${at.split('?')[0]?.replace('/', '-')}-${language}`)
      await page.context().close()
    }
  }
})
