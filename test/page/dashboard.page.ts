import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, test } from 'node:test'
import { writeChat } from './chats.ts'
import { archived, breaches, picture, type Site, site, until, withSample } from './page-kit.ts'

let recollect: Site
before(async () => {
  recollect = await site({
    fill(home) {
      withSample(home)
      writeChat(home, 'failing', [
        { title: 'A build that fails' },
        { asks: 'Build it.' },
        { calls: 'Bash', input: { command: 'npm run build' }, gives: 'error TS2322: no string', fails: true },
        { says: 'It does not build.' },
      ])
    },
  })
  const page = await recollect.open()
  await archived(page, '14 chats').waitFor()
  await page.context().close()
})
after(async () => {
  await recollect?.close()
})

test('a day, a bar, a model, a project and a tool lead to their chats', async () => {
  const page = await recollect.open('/dashboard?from=2026-06-01&to=2026-06-05')
  await page.getByText('on 2 of 5 days').waitFor()
  await page.locator('.dashboard-calendar').first().focus()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Friday, June 5, 2026: 0 messages').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Thursday, June 4, 2026: 15 messages').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /Deadlock in the refund worker/ }).waitFor()
  assert.match(page.url(), /\/\?from=2026-06-04&to=2026-06-04&time=between$/)
  await page.goBack()

  await page.locator('.dashboard-chart').focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Jun 4: 15').waitFor()
  await page.locator('.dashboard-chart .u-over').click({ position: { x: 5, y: 50 } })
  await until(page, `location.pathname === '/'`)
  assert.match(page.url(), /from=2026-06-01&to=2026-06-01/)

  await page.goto('/dashboard')
  await page.locator('.dashboard-bar a', { hasText: 'claude-opus-4-6' }).first().click()
  await until(page, `location.pathname === '/'`)
  assert.match(page.url(), /model=claude-opus-4-6/)
  await page.getByRole('main').locator('a[href^="/chat/"]').first().waitFor()

  await page.goto('/dashboard?by=workspace')
  await page.locator('.dashboard-bar a', { hasText: 'courier' }).first().click()
  await until(page, `location.search.includes('courier')`)

  await page.goto('/dashboard')
  const tools = page.getByRole('list', { name: 'Tools', exact: true })
  // `Bash` and `bash` are one.
  await tools.getByText(/^bash$/i).waitFor()
  assert.equal(await tools.getByText(/^bash$/i).count(), 1)
  await tools.getByText(/^bash$/i).click()
  await page.getByRole('heading', { name: /^Chats that called bash$/i }).waitFor()
  const chats = page.getByRole('list', { name: 'Top chats', exact: true })
  await chats.getByRole('link').first().waitFor()
  await chats.getByRole('link').first().click()
  await until(page, `location.pathname.startsWith('/chat/')`)
  await page.context().close()
})

test('hours, top chats, sub-agents, repositories and a word over time are there, each table as CSV', async () => {
  const page = await recollect.open('/dashboard')
  await page.getByRole('heading', { name: 'Hours of the week', exact: true }).waitFor()
  assert.equal(await page.locator('.dashboard-hours rect').count(), 7 * 24)
  await page.getByRole('heading', { name: 'Top chats', exact: true }).waitFor()
  await page.locator('.dashboard-total', { hasText: 'Sub-agents' }).waitFor()
  await page.getByRole('tab', { name: 'Repository', exact: true }).waitFor()
  await page.getByRole('textbox', { name: /Words to track/ }).fill('deadlock')
  await page.keyboard.press('Enter')
  const trend = page.getByRole('list', { name: 'A word over time', exact: true })
  await trend.getByRole('link', { name: 'June 2026' }).waitFor()
  assert.match(page.url(), /term=deadlock/)
  await page.getByRole('textbox', { name: /Words to track/ }).fill('zzzzqqq')
  await page.keyboard.press('Enter')
  await page.getByText('No chats mention “zzzzqqq” in this period.').waitFor()
  await page.getByRole('textbox', { name: /Words to track/ }).fill('deadlock')
  await page.keyboard.press('Enter')
  await trend.getByRole('link', { name: 'June 2026' }).waitFor()

  const folds = page.getByRole('button', { name: 'As a table', exact: true })
  for (let at = 0; at < (await folds.count()); at++) await folds.nth(at).click()
  await page.getByRole('button', { name: 'Latest failures', exact: true }).click()
  const files = new Map<string, string>()
  const csvs = page.getByRole('button', { name: 'Download CSV', exact: true })
  for (let at = 0; at < (await csvs.count()); at++) {
    const [saved] = await Promise.all([page.waitForEvent('download'), csvs.nth(at).click()])
    files.set(saved.suggestedFilename(), fs.readFileSync(await saved.path(), 'utf8'))
  }
  assert.deepEqual(
    [...files.keys()].sort(),
    ['chats', 'days', 'failures', 'hours', 'latencies', 'model', 'tools', 'trend'].map(
      (name) => `recollect-${name}.csv`,
    ),
  )
  const days = files.get('recollect-days.csv')!
  assert.match(days, /^\ufeffDay,Messages,Tokens,Cost,Latency\r\n/)
  assert.match(days, /\r\n2026-06-04,15,/)
  assert.match(files.get('recollect-trend.csv')!, /^\ufeffMonth,Chats\r\n(?:\d{4}-\d\d,\d+\r\n)+$/)
  assert.match(files.get('recollect-latencies.csv')!, /^\ufeffModel,Median,p95,Answers\r\n[^,]+,\d+,\d+,\d+/)
  // What a tool said is there, and leads to the message.
  const failure = page.getByRole('link', { name: 'error TS2322: no string', exact: true })
  assert.match(String(await failure.getAttribute('href')), /^\/chat\/.*#m\d+$/)
  assert.deepEqual(await breaches(page), [])
  await page.context().close()
})

test('days are those of whoever looks, and weeks are called weeks', async () => {
  const far = await recollect.open('/dashboard?from=2026-06-01&to=2026-06-05', {
    timezoneId: 'Pacific/Kiritimati',
  })
  await far.getByText(/^on \d of 5 days$/).waitFor()
  // 13:05 on 2 June in UTC is 03:05 on 3 June there, on which nothing was said in UTC.
  await far.locator('.dashboard-calendar').first().focus()
  await far.keyboard.press('ArrowUp')
  await far.keyboard.press('ArrowUp')
  await far.keyboard.press('ArrowUp')
  await far.getByText(/^Wednesday, June 3, 2026: [1-9]\d* messages$/).waitFor()
  await far.goto('/dashboard?from=2026-01-01&to=2026-06-30')
  await far.getByRole('heading', { name: 'By week', exact: true }).waitFor()
  await far.locator('.dashboard-chart').focus()
  await far.keyboard.press('ArrowLeft')
  await far.getByText(/^Week of Jun 29 – Jun 30: 0$/).waitFor()
  await far.context().close()
})

test('the dashboard in light and dark, wide and narrow, in three languages', async () => {
  for (const language of ['en', 'ru', 'zh'])
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        if (!process.env.RECOLLECT_PICTURES && (language !== 'en' || width === 1440)) continue
        const page = await recollect.open('/dashboard', {
          language,
          colorScheme,
          viewport: { width, height: 2600 },
        })
        await page.locator('.dashboard-chart canvas').waitFor()
        await page.locator('.dashboard-hours').waitFor()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        assert.deepEqual(await breaches(page), [], `${language} ${colorScheme} ${width}`)
        await picture(page, `dashboard-${language}-${colorScheme}-${width}`)
        await page.context().close()
      }
})
