import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { writeChat } from './chats.ts'
import { archived, breaches, found, type Site, site, until } from './page-kit.ts'

const CHATS = 320

let recollect: Site
before(async () => {
  recollect = await site({
    fill(home) {
      for (let n = 0; n < CHATS; n++)
        writeChat(home, `chat-${String(n).padStart(4, '0')}`, [
          { title: `Chat number ${n}` },
          { asks: `How does the tidal clock ${n} keep its time?` },
          { says: `The tidal clock ${n} follows the moon.` },
        ])
    },
  })
  const page = await recollect.open()
  await archived(page, `${CHATS} chats`).waitFor()
  await page.context().close()
})
after(() => recollect.close())

const row = '[data-row]'

/** Scrolls until all of the list is loaded. */
async function toTheEnd(page: Page): Promise<void> {
  await until(
    page,
    `scrollTo(0, document.documentElement.scrollHeight), document.querySelector('[data-count]')?.dataset.count === '${CHATS}'`,
  )
}

test('of a long list only what is in sight is drawn, each with its place among all', async () => {
  const page = await recollect.open()
  await page.locator(row).first().waitFor()
  await toTheEnd(page)
  await page.locator(`[aria-posinset="${CHATS}"]`).waitFor()
  assert.ok((await page.locator(row).count()) < 80, `${await page.locator(row).count()} rows`)
  const all = await page.evaluate<number>(`document.querySelectorAll('*').length`)
  assert.ok(all < 1_500, `${all} nodes`)
  const last = page.locator(`[aria-posinset="${CHATS}"]`)
  assert.equal(await last.getAttribute('aria-setsize'), String(CHATS))
  const rows = await page.evaluate<[number, number][]>(
    `[...document.querySelectorAll('.virtual-list > li')].map((item) => item.getBoundingClientRect())
      .filter(({ top }) => top > 0).map(({ top, bottom }) => [Math.round(top), Math.round(bottom)])`,
  )
  for (const [at, [top]] of rows.entries())
    if (at > 0) assert.ok(Math.abs(top! - rows[at - 1]![1]!) <= 1, 'neither gaps nor overlaps')
  assert.deepEqual(await breaches(page), [])
})

test('the keyboard goes through all of it, to its ends and back, and never loses its place', async () => {
  const page = await recollect.open()
  await page.locator(row).first().waitFor()
  const at = () =>
    page.evaluate<string | null>(
      `document.activeElement.closest('[data-index]')?.getAttribute('data-index') ?? null`,
    )
  await page.keyboard.press('ArrowDown')
  assert.equal(await at(), '0')
  for (let n = 0; n < 45; n++) await page.keyboard.press('ArrowDown')
  assert.equal(await at(), '45')
  await toTheEnd(page)
  assert.equal(await at(), '45', 'what has the focus stays, out of sight')
  await page.keyboard.press('ArrowDown')
  assert.equal(await at(), '46')
  await page.keyboard.press('End')
  await until(page, `document.activeElement.closest('[data-index="${CHATS - 1}"]') !== null`)
  await page.keyboard.press('Home')
  await until(page, `document.activeElement.closest('[data-index="0"]') !== null`)
  assert.ok((await page.evaluate<number>('scrollY')) < 300)
  await page.keyboard.press('ArrowUp')
  await until(page, `document.activeElement.tagName === 'INPUT'`)
})

test('who comes back from a chat is where they were', async () => {
  const page = await recollect.open()
  await page.locator(row).first().waitFor()
  await toTheEnd(page)
  await page.evaluate('scrollTo(0, 5000)')
  await until(page, `Math.abs(scrollY - 5000) < 2 && document.querySelector('[data-index="145"]') !== null`)
  await page.evaluate(`addEventListener('click', () => { window.leftAt = scrollY }, { capture: true })`)
  const link = page.locator('[data-index="145"] [data-row]')
  const named = await link.textContent().then(String)
  await link.click()
  await page.getByRole('heading', { name: named, exact: true }).first().waitFor()
  await page.goBack()
  await page.getByRole('link', { name: named, exact: true }).waitFor()
  await until(page, 'leftAt > 3000 && Math.abs(scrollY - leftAt) < 5')
})

test('results are drawn as one scrolls, and the first is opened from the box wherever one is', async () => {
  const page = await recollect.open('/?q=tidal%20clock')
  await found(page, `${CHATS} chats`).waitFor()
  await page.locator(row).first().waitFor()
  assert.ok((await page.locator(row).count()) < 60)
  const first = await page.locator('[data-index="0"] [data-row]').textContent().then(String)
  await until(
    page,
    `scrollTo(0, document.documentElement.scrollHeight), document.querySelector('[aria-posinset="${CHATS}"]') !== null`,
  )
  assert.ok((await page.locator(row).count()) < 60, 'past 200, to the last one')
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search your chats', exact: true }).press('Enter')
  await page.getByRole('heading', { name: first, exact: true }).first().waitFor()
})
