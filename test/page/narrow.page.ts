import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { breaches, choose, found, picture, type Site, sampleSite, until } from './page-kit.ts'

let recollect: Site
before(async () => {
  recollect = await sampleSite()
})
after(() => recollect.close())

/** What a menu of filters offers, each with its count, once it was counted. */
async function offered(page: Page, menu: string): Promise<string[]> {
  await page.getByRole('button', { name: new RegExp(`^${menu}(: .*)?$`) }).click()
  const items = page.getByRole('menu', { name: menu, exact: true }).getByRole('menuitemcheckbox')
  await items.first().waitFor()
  return (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
}

test('facets say how many each leaves, and several are chosen at once', async () => {
  const page = await recollect.open('/?q=deadlock')
  await found(page, '3 chats').waitFor()
  const assistants = await offered(page, 'Assistant')
  assert.equal(assistants.length, 3, assistants.join())
  assert.ok(
    assistants.every((each) => / 1$/.test(each)),
    assistants.join(),
  )
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'facets')
  await page.keyboard.press('Escape')
  await choose(page, 'Assistant', 'Claude Code', 'Copilot CLI')
  await found(page, '2 chats').waitFor()
  assert.deepEqual(new URL(page.url()).searchParams.getAll('source').sort(), ['claude-code', 'copilot-cli'])
  await page.getByRole('button', { name: 'Assistant: 2', exact: true }).waitFor()
  const months = await offered(page, 'Month')
  assert.ok(months.length > 0 && months.every((each) => /^\w+ 20\d\d \d+$/.test(each)), months.join())
  await page.keyboard.press('Escape')
  for (const menu of ['Model', 'Role', 'Project']) {
    assert.ok((await offered(page, menu)).length > 0, menu)
    await page.keyboard.press('Escape')
  }
  await page.reload()
  await found(page, '2 chats').waitFor()
})

test('the list without words is narrowed the same way', async () => {
  const page = await recollect.open('/')
  await page.locator('[data-row]').first().waitFor()
  const all = await page.locator('[data-row]').count()
  await choose(page, 'Project', 'shop')
  await page.waitForURL(/workspace=\/home\/alex\/shop/)
  const projects = await offered(page, 'Project')
  const count = Number(/ (\d+)$/.exec(projects.find((each) => each.startsWith('shop')) ?? '')?.[1])
  await page.keyboard.press('Escape')
  await page.locator(`[data-count="${count}"]`).waitFor()
  assert.ok(count > 0 && count < all)
})

test('results are ordered by date', async () => {
  const page = await recollect.open('/?q=stock')
  await found(page, '5 chats').waitFor()
  await page.getByLabel('Order', { exact: true }).selectOption('date')
  await page.waitForURL(/sort=date/)
  await page.locator('[data-row]').first().waitFor()
  await until(
    page,
    `(() => {
      const dates = [...document.querySelectorAll('.result-time time')].map((each) => each.getAttribute('datetime'))
      return dates.length === 5 && dates.every((each, at) => at === 0 || each <= dates[at - 1])
    })()`,
  )
})

test('a star is given in the reader, shown in lists and results, and narrows both', async () => {
  const page = await recollect.open('/chat/claude-code:b6fb68b8-36d3-4357-8b35-71944dd9ba8f')
  await page.getByRole('button', { name: 'Star', exact: true }).click()
  await page.getByRole('button', { name: 'Remove the star', exact: true }).waitFor()
  await page.goto('/?starred=1')
  await page.locator('[data-count="1"]').waitFor()
  await page.locator('.recent').getByRole('img', { name: 'Starred', exact: true }).waitFor()
  await page.goto('/?q=deadlock')
  await found(page, '3 chats').waitFor()
  assert.equal(await page.locator('.result').getByRole('img', { name: 'Starred', exact: true }).count(), 1)
  await page.getByRole('button', { name: 'Starred', exact: true }).click()
  await found(page, '1 chat').waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'starred')
})

test('a star given in one window is seen in another that has the chat open', async () => {
  const at = '/chat/claude-code:82f4d948-0ecd-43a3-9455-fd0ee32474b5'
  const [one, other] = [await recollect.open(at), await recollect.open(at)]
  await other.locator('.message').first().waitFor()
  await one.getByRole('button', { name: 'Star', exact: true }).click()
  await other.getByRole('button', { name: 'Remove the star', exact: true }).waitFor({ timeout: 20_000 })
  await other.getByRole('button', { name: 'Remove the star', exact: true }).click()
  await one.getByRole('button', { name: 'Star', exact: true }).waitFor({ timeout: 20_000 })
})

test('a search is saved by a name, with its filters, and run again', async () => {
  const page = await recollect.open('/?q=deadlock&source=copilot-cli&all=1')
  await found(page, '1 chat').waitFor()
  const open = () => page.getByRole('button', { name: 'Saved searches', exact: true }).click()
  await open()
  const dialog = page.getByRole('dialog', { name: 'Saved searches', exact: true })
  await dialog.getByLabel('Save this search as', { exact: true }).fill('Locks in the CLI')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('button', { name: /^Locks in the CLI/ }).waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'saved')
  await page.goto('/')
  await page.locator('[data-row]').first().waitFor()
  await open()
  await dialog.getByRole('button', { name: /^Locks in the CLI/ }).click()
  await found(page, '1 chat').waitFor()
  assert.match(page.url(), /q=deadlock/)
  assert.match(page.url(), /source=copilot-cli/)
  await open()
  await dialog.getByRole('button', { name: 'Remove “Locks in the CLI”', exact: true }).click()
  await dialog.getByText('None yet.').waitFor()
})

test('what cannot be answered says why, and offers what can be', async () => {
  const page = await recollect.open('/?q=-deadlock', { complaint: /status of 400/ })
  await page.getByRole('heading', { name: 'Nothing to search for', exact: true }).waitFor()
  await page.getByText('only says what to leave out').waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'unanswerable')
  await page.getByRole('button', { name: 'Search for deadlock', exact: true }).click()
  await found(page, '3 chats').waitFor()
  await page.goto('/?q=%2F%28%2F')
  await page.getByRole('heading', { name: 'Not a regular expression', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show recent chats', exact: true }).click()
  await page.getByText('13 chats, 141 messages', { exact: true }).waitFor()
})

test('of several tabs the chosen one is in sight on a phone, also once their counts are in', async () => {
  const page = await recollect.open('/sources?tab=hub', { viewport: { width: 390, height: 844 } })
  await page.getByRole('tab', { name: 'Hub', exact: true }).waitFor()
  await until(
    page,
    `(() => {
      const [tab, bar] = ['[role=tab][aria-selected=true]', '[role=tablist]']
        .map((each) => document.querySelector(each).getBoundingClientRect())
      return tab.left >= bar.left - 1 && tab.right <= bar.right + 1
    })()`,
  )
})

test('a chat that waits for the person says so in the list, as soon as it does and no longer', async () => {
  const sessionId = '7d1f3a52-0000-4000-8000-0000000000aa'
  const folder = path.join(recollect.home, '.claude', 'projects', '-home-alex-shop')
  const file = path.join(folder, `${sessionId}.jsonl`)
  fs.mkdirSync(folder, { recursive: true })
  let records = 0
  const add = (type: 'user' | 'assistant', content: unknown) => {
    const record = {
      ...{ type, sessionId, cwd: '/home/alex/shop', isSidechain: false, version: '2.1.240' },
      uuid: `wait-${++records}`,
      parentUuid: records > 1 ? `wait-${records - 1}` : null,
      timestamp: new Date().toISOString(),
      message: {
        role: type,
        content,
        ...(type === 'assistant' && { id: `m${records}`, model: 'claude-opus-4-6' }),
      },
    }
    fs.appendFileSync(file, `${JSON.stringify(record)}\n`)
  }
  const page = await recollect.open('/', { viewport: { width: 390, height: 844 } })
  await page.locator('[data-row]').first().waitFor()
  add('user', 'Which region should the new bucket be in?')
  add('assistant', [{ type: 'tool_use', id: 'ask-1', name: 'AskUserQuestion', input: { questions: [] } }])
  const row = page.locator('.recent', { hasText: 'Which region' })
  await row.getByText('waiting for you', { exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'waiting')
  add('user', [{ type: 'tool_result', tool_use_id: 'ask-1', content: 'Frankfurt' }])
  await row.getByText('running', { exact: true }).waitFor()
  add('assistant', [{ type: 'text', text: 'Then it is eu-central-1.' }])
  await row.locator('.badge').waitFor({ state: 'detached' })
})
