import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { breaches, choose, found, picture, type Site, sampleSite, shifts, until } from './page-kit.ts'

let recollect: Site
before(async () => {
  recollect = await sampleSite()
})
after(() => recollect.close())

const first = '[data-row]'

test('with nothing asked, the newest chats are there, and how much there is', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await recollect.open('/', { colorScheme })
    await page.getByRole('link', { name: 'Memory leak in the tile export', exact: true }).waitFor()
    assert.equal(await page.locator(first).count(), 12, 'all but the sub-agent')
    await page.getByRole('link', { name: /^Copilot in VS Code/ }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Up to date' }).waitFor()
    assert.ok((await shifts(page)) < 0.02, `${await shifts(page)}`)
    assert.deepEqual(await breaches(page), [])
    await picture(page, `home-${colorScheme}`)
  }
})

test('results come while one types, with the words marked, and nothing moves', async () => {
  const page = await recollect.open()
  await page.getByRole('textbox', { name: 'Search your chats', exact: true }).pressSequentially('deadlock')
  await page
    .getByRole('link', { name: 'Deadlock between checkout and the stock import', exact: true })
    .waitFor()
  // Two in English, and one in Russian that has the word's translation.
  await found(page, '3 chats').waitFor()
  const marked = (await page.locator('.snippet mark').allInnerTexts()).map((word) => word.toLowerCase())
  assert.deepEqual(
    new Set(marked.map((word) => word.slice(0, 8))),
    new Set(['deadlock', 'retryond', 'взаимобл']),
  )
  assert.match(page.url(), /\?q=deadlock$/)
  assert.ok((await shifts(page)) < 0.02, `${await shifts(page)}`)
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'search')
})

test('what is typed stays as it was typed, also what looks like a part of an address', async () => {
  const page = await recollect.open()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/search_conversations')) asked.push(request.postDataJSON().query)
  })
  const box = page.getByRole('textbox', { name: 'Search your chats', exact: true })
  for (const typed of ['stock%20import', '100% %41', 'a+b&c=%2F#d']) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/search_conversations'))
    await box.fill(typed)
    await answered
    assert.equal(await box.inputValue(), typed)
    assert.equal(asked.at(-1), typed)
    await page.reload()
    await page.locator('.sync-count').waitFor()
    assert.equal(await box.inputValue(), typed)
  }
})

test('the beginning of a word is enough, and a typo is said to be one', async () => {
  const page = await recollect.open('/?q=deadl')
  await page.getByRole('link', { name: 'Deadlock in the refund worker', exact: true }).waitFor()
  await page.goto('/?q=deadlokc')
  await page.getByRole('link', { name: 'Deadlock in the refund worker', exact: true }).waitFor()
  await page.getByText('No results for “deadlokc”').waitFor()
  await page.goto('/?q=qxzvwkjq')
  await page.getByText('Nothing found').waitFor()
})

test('it is all done with the keyboard: find, go through, open, come back', async () => {
  const page = await recollect.open()
  await page.locator(first).first().waitFor()
  await page.keyboard.type('stock')
  await found(page, '5 chats').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const second = await page.locator(first).nth(1).textContent()
  assert.equal(await page.locator(':focus').textContent(), second)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: second ?? '', exact: true }).waitFor()
  assert.match(page.url(), /\/chat\/[a-z-]+:[\w-]+\?q=stock#m\d+$/)
  await page.keyboard.press('Escape')
  await found(page, '5 chats').waitFor()
  assert.match(page.url(), /\?q=stock$/)
  await page.keyboard.press('/')
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Search your chats')
  await page.keyboard.press('Escape')
  await page.getByText('13 chats, 141 messages', { exact: true }).waitFor()
  await page.locator('body').click({ position: { x: 5, y: 400 } })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts', exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
})

test('back from a chat, the list is where it was left', async () => {
  const page = await recollect.open('/', { viewport: { width: 1280, height: 420 } })
  await page
    .getByRole('link', { name: 'Choosing a message queue for order events', exact: true })
    .scrollIntoViewIfNeeded()
  const left = await page.evaluate<number>('scrollY')
  assert.ok(left > 50, `${left}`)
  await page.getByRole('link', { name: /^Flaky revenue report test/ }).click()
  await page.locator('.message').first().waitFor()
  await page.goBack()
  await page.locator(first).first().waitFor()
  await until(page, `Math.abs(scrollY - ${left}) < 5`)
  await page.getByRole('link', { name: 'Sources', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await until(page, 'scrollY === 0')
})

test('filters narrow, stand in the address, and survive a reload', async () => {
  const page = await recollect.open('/?q=stock')
  await found(page, '5 chats').waitFor()
  await choose(page, 'Assistant', 'Copilot CLI')
  await found(page, '1 chat').waitFor()
  await choose(page, 'Role', 'Me')
  await page.getByRole('button', { name: 'All words', exact: true }).click()
  await choose(page, 'Project', 'shop')
  await page.waitForURL(/workspace=/)
  const address = page.url()
  assert.match(address, /q=stock&source=copilot-cli&role=user&all=1&workspace=\/home\/alex\/shop/)
  await page.reload()
  await found(page, '1 chat').waitFor()
  await page.getByRole('button', { name: 'Assistant: Copilot CLI', exact: true }).waitFor()
  assert.equal(page.url(), address)
  await page.getByLabel('Time', { exact: true }).selectOption('7')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('button', { name: 'Clear filters', exact: true }).click()
  await found(page, '5 chats').waitFor()
})

test('several chats are chosen for comparing', async () => {
  const page = await recollect.open('/?q=deadlock')
  await found(page, '3 chats').waitFor()
  await page.getByRole('checkbox').first().check()
  await page.locator(first).nth(1).focus()
  await page.keyboard.press('x')
  await page.getByText('2 selected', { exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
  await page
    .getByRole('region', { name: '2 selected', exact: true })
    .getByRole('link', { name: 'Compare', exact: true })
    .click()
  await page.waitForURL(/\/compare\?/)
  assert.equal(new URL(page.url()).searchParams.getAll('chat').length, 2)
})

test('on a phone nothing is wider than the screen', async () => {
  const viewport = { width: 360, height: 740 }
  for (const at of ['/', '/?q=deadlock']) {
    const page = await recollect.open(at, { viewport, hasTouch: true, isMobile: true })
    await page.locator(first).first().waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    assert.deepEqual(await breaches(page), [])
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('link', { name: 'Dashboard', exact: true }).waitFor()
    assert.deepEqual(await breaches(page), [])
    await picture(page, `phone-${at === '/' ? 'home' : 'search'}`)
  }
})

test('language and theme are chosen once', async () => {
  const page = await recollect.open()
  await page.getByRole('button', { name: 'Appearance and language', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Русский', exact: true }).click()
  await page.getByText('13 чатов, 141 сообщение', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Вид и язык', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Тёмная', exact: true }).click()
  await page.reload({ waitUntil: 'commit' })
  await page.getByText('13 чатов, 141 сообщение', { exact: true }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  assert.equal(await page.evaluate('document.documentElement.lang'), 'ru')
  const chinese = await recollect.open('/?q=deadlock', { language: 'zh-CN' })
  await found(chinese, '3 个对话').waitFor()
})

test('a browser that is no longer known is told what to do', async () => {
  const page = await recollect.open()
  await page.locator(first).first().waitFor()
  // Answers and files that it asks for from now on are refused, those that it loads ahead included.
  recollect.allow(page, /status of 401|\/assets\//)
  await page.context().clearCookies()
  await page.keyboard.type('deadlock')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  assert.equal(await page.getByText('recollect serve').isVisible(), true)
})
