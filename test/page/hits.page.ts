import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { breaches, found, picture, type Site, sampleSite, until } from './page-kit.ts'

let recollect: Site
before(async () => {
  recollect = await sampleSite()
})
after(() => recollect.close())

const DEADLOCK = 'claude-code:b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const REFUND = 'copilot-cli:11d22106-a816-4cce-886d-1987be44d879'
const marked = (name: string) =>
  `[...(CSS.highlights.get('${name}') ?? [])].map((range) => range.toString().toLowerCase())`

test('an opened hit is marked as the search took it, and n and N go from hit to hit', async () => {
  const page = await recollect.open('/?q=deadlocks')
  await page
    .getByRole('link', { name: 'Deadlock between checkout and the stock import', exact: true })
    .click()
  await page.waitForURL(/\/chat\/claude-code:b6fb68b8[^?]*\?q=deadlocks#m\d+$/)
  const count = page.locator('.find-count')
  await count.getByText(/^\d+ of \d+$/).waitFor()
  await until(page, `${marked('found-now')}.includes('deadlock')`)
  const at = async () => Number(/^(\d+)/.exec((await count.textContent()) ?? '')?.[1])
  const [first, all] = [await at(), Number(/(\d+)$/.exec((await count.textContent()) ?? '')?.[1])]
  assert.ok(all > 2, `${all}`)
  const next = (first % all) + 1
  await page.keyboard.press('n')
  await count.getByText(`${next} of ${all}`, { exact: true }).waitFor()
  // Where one has come to is in sight, in folded parts as well.
  await until(
    page,
    `[...(CSS.highlights.get('found-now') ?? [])].some((range) => {
      const { top, bottom, height } = range.getBoundingClientRect()
      return height > 0 && top > 0 && bottom < innerHeight
    })`,
  )
  await page.keyboard.press('Shift+N')
  await count.getByText(`${first} of ${all}`, { exact: true }).waitFor()
  assert.ok((await page.locator('.outline-hits').count()) > 0, 'the outline says where there are some')
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'hits')
  await page.keyboard.press('Escape')
  await found(page, '3 chats').waitFor()
})

test('what a fuzzy or a related search found is marked in the chat, not only what was typed', async () => {
  for (const [search, title, word] of [
    ['q=dead&fuzzy=1', 'Deadlock between checkout and the stock import', 'deadlock'],
    ['q=sql&expand=1', 'Deadlock between checkout and the stock import', 'database'],
  ] as const) {
    const page = await recollect.open(`/?${search}`)
    await page.getByRole('link', { name: title, exact: true }).click()
    await page.waitForURL(new RegExp(`\\?${search}`))
    await until(page, `${marked('found')}.concat(${marked('found-now')}).includes('${word}')`)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await until(page, `!location.search.includes('q=') && !CSS.highlights.has('found-now')`)
    await page.context().close()
  }
})

test('what is typed into the box is looked for to the letter', async () => {
  const page = await recollect.open(`/chat/${DEADLOCK}?q=deadlock`)
  await page.locator('.find-count').getByText(/ of /).waitFor()
  await page.keyboard.press('f')
  await page.keyboard.type('ShareLock')
  await until(page, `${marked('found-now')}.includes('sharelock')`)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await until(page, `!CSS.highlights.has('found-now')`)
  assert.ok(!page.url().includes('?q='), page.url())
})

test('the beginning of a word that found a chat is marked in it', async () => {
  const page = await recollect.open('/?q=deadl')
  await page.getByRole('link', { name: 'Deadlock in the refund worker', exact: true }).click()
  await until(page, `${marked('found-now')}.some((word) => word.startsWith('deadl'))`)
})

test('in Compare the words of the search are marked, and what is shared, and nothing else', async () => {
  const page = await recollect.open(`/compare?chat=${DEADLOCK}&chat=${REFUND}&q=deadlock`)
  const status = page.locator('.compare-hits [role=status]')
  await status.getByText(/^1 of \d+$/).waitFor()
  await page.keyboard.press('n')
  await status.getByText(/^2 of \d+$/).waitFor()
  await page.keyboard.press('Shift+N')
  await status.getByText(/^1 of \d+$/).waitFor()
  await until(page, `${marked('found')}.includes('deadlock')`)
  // Every mark is in a message that stands level with another, by the number of its passage.
  assert.equal(await page.locator('.compare-cell:not(.compare-shared) mark').count(), 0)
  assert.ok((await page.locator('.compare-shared mark').count()) >= 4)
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'compare-hits')
})

test('snippets and Compare show emphasis and code instead of their signs', async () => {
  const page = await recollect.open('/?q=retryOnDeadlock')
  await page.locator('.snippet code').first().waitFor()
  for (const text of await page.locator('.snippet-text').allInnerTexts())
    assert.ok(!/`\w+`|\*\*/.test(text), text)
  await page.goto(`/compare?chat=${DEADLOCK}&chat=${REFUND}&view=together`)
  await page.locator('.compare-message code').first().waitFor()
  assert.ok((await page.locator('.compare-message strong').count()) > 0)
})
