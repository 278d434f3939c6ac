import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { archived, breaches, picture, type Site, site, withSample } from './page-kit.ts'

let recollect: Site
let shop: string
before(async () => {
  recollect = await site({
    fill(home) {
      withSample(home)
      shop = path.join(home, 'shop')
      fs.mkdirSync(path.join(home, '.git'), { recursive: true })
      fs.mkdirSync(shop)
      const chat = path.join(home, '.claude', 'projects', 'shop')
      fs.mkdirSync(chat, { recursive: true })
      fs.writeFileSync(
        path.join(chat, '7d1f3a52-0000-4000-8000-000000000001.jsonl'),
        `${JSON.stringify({
          type: 'user',
          uuid: 'u1',
          sessionId: '7d1f3a52-0000-4000-8000-000000000001',
          cwd: shop,
          timestamp: '2026-10-01T10:00:00.000Z',
          message: { role: 'user', content: 'Where do we stand with the shop?' },
        })}\n{"type":"user","uuid":"u2","message":{"role":"user","content":"half a li\n`,
      )
    },
  })
  const page = await recollect.open()
  await archived(page, '14 chats').waitFor()
  await page.context().close()
})
after(() => recollect.close())

test('context.md is started, edited, and never overwritten without asking', async () => {
  const page = await recollect.open(`/context?workspace=${shop}`)
  await page.getByText('This project has no context.md yet').waitFor()
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Create it', exact: true }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const file = path.join(shop, 'context.md')
  const text = page.getByRole('textbox', { name: 'Text of context.md', exact: true })
  await text.fill(
    '# Shop\n\n## 2026-10-02 10:00 — Stock\n\nDone, see context://sessions/7d1f3a52-0000-4000-8000-000000000001\n',
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: /Stock/ }).waitFor()
  assert.match(fs.readFileSync(file, 'utf8'), /^# Shop\n/)
  await picture(page, 'context')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await text.fill('# Shop, as I see it\n')
  fs.appendFileSync(file, '\n## 2026-10-03 09:00 — Agent\n\nAnother line.\n')
  recollect.allow(page, /status of 409/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'The file was changed elsewhere', exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
  assert.match(fs.readFileSync(file, 'utf8'), /Another line/)
  await page.getByRole('button', { name: 'Keep editing', exact: true }).click()
  assert.equal(await text.inputValue(), '# Shop, as I see it\n')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Shop, as I see it', exact: true }).waitFor()
  assert.equal(fs.readFileSync(file, 'utf8'), '# Shop, as I see it\n')
})

test('an assistant is switched off, and its chats are no longer read', async () => {
  const page = await recollect.open('/sources')
  const row = page.locator('.sources-row', { hasText: 'Aider' })
  await row.getByRole('button', { name: 'Where Recollect looks', exact: true }).click()
  await row
    .getByText('.aider')
    .or(row.getByText(/places? looked at|\/|\\/))
    .first()
    .waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'sources')
  await row.getByRole('checkbox').click()
  await row.getByText('switched off').waitFor()
  const config = path.join(recollect.archive, 'config.json')
  assert.deepEqual(JSON.parse(fs.readFileSync(config, 'utf8')).sources, { aider: false })
  assert.equal(fs.statSync(config).mode & 0o777, 0o600)
  await row.getByRole('checkbox').click()
  await row.getByText('switched off').waitFor({ state: 'detached' })
})

test('a problem names its file, says what to do, and is counted at its tab', async () => {
  const page = await recollect.open('/sources')
  await page.getByRole('tab', { name: /^Problems 1$/ }).click()
  const row = page.getByRole('region', { name: 'Problems', exact: true }).getByRole('row').last()
  await row.getByText(/^1 record could not be read/).waitFor()
  await row.getByText(/7d1f3a52-0000-4000-8000-000000000001\.jsonl$/).waitFor()
  await row.getByText(/The rest of the file was read/).waitFor()
  assert.deepEqual(await breaches(page), [])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV', exact: true }).click(),
  ])
  assert.equal(saved.suggestedFilename(), 'recollect-problems.csv')
  await picture(page, 'problems')
})

test('a token is shown once, works, and is refused after it was revoked', async () => {
  const page = await recollect.open('/sources?tab=access')
  await page.getByText('No program has a token.').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('laptop')
  await page.getByRole('button', { name: 'Create a token', exact: true }).click()
  const token = await page.locator('.sources-token code').textContent()
  const ask = () =>
    fetch(`${recollect.url}/api/v1/overview`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal((await ask()).status, 200)
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Revoke laptop', exact: true }).click()
  await page.getByText('No program has a token.').waitFor()
  assert.equal((await ask()).status, 401)
})

test('forgetting counts first, asks, and then it is gone', async () => {
  const page = await recollect.open('/sources?tab=privacy')
  await page.getByLabel('Everything before', { exact: true }).fill('2026-03-05')
  await page.getByRole('button', { name: 'Preview', exact: true }).first().click()
  await page.getByText('This permanently erases 1 chat with 8 messages.').waitFor()
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).first().click()
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByText('Erased: 1 chat.').waitFor()
  await archived(page, '13 chats').waitFor()
})

test('the privacy tab says what is sent where, as it is configured', async () => {
  const page = await recollect.open('/sources?tab=privacy')
  await page.getByText('no request to any other server').waitFor()
  const config = path.join(recollect.archive, 'config.json')
  const before = fs.existsSync(config) ? fs.readFileSync(config, 'utf8') : '{}'
  const embeddings = { url: 'https://vectors.example.org/v1/embeddings', model: 'small' }
  fs.writeFileSync(config, JSON.stringify({ ...JSON.parse(before), embeddings }), { mode: 0o600 })
  await page.reload()
  await page.getByText('messages and queries go to vectors.example.org').waitFor()
  assert.equal(await page.getByText('no request to any other server').count(), 0)
  assert.deepEqual(await breaches(page), [])
  fs.writeFileSync(config, before)
})

test('folders and redaction are set on the page, and what is configured is shown', async () => {
  const page = await recollect.open('/sources?tab=settings')
  await page.getByText('Only this machine’s own home folder is read.').waitFor()
  const config = () => JSON.parse(fs.readFileSync(path.join(recollect.archive, 'config.json'), 'utf8'))
  await page.getByRole('textbox', { name: 'Home folder to read as well' }).fill('/mnt/other')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Stop reading /mnt/other', exact: true }).waitFor()
  assert.deepEqual(config().homes, ['/mnt/other'])
  await page.getByText('not there now', { exact: true }).waitFor()
  const redacts = page.getByRole('checkbox', { name: 'Archive new messages without their secrets' })
  await redacts.click()
  await page.locator('.sources-switch input:checked').waitFor()
  assert.equal(config().redactAtRest, true)
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'settings')
  await page.getByRole('button', { name: 'Stop reading /mnt/other', exact: true }).click()
  await page.getByText('Only this machine’s own home folder is read.').waitFor()
  assert.deepEqual(config().homes, [])
  await page.context().close()
})

test('a backup is made on the page, and the command that restores it works', async () => {
  const page = await recollect.open('/sources?tab=settings')
  await page.getByText('There is no backup yet.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Back up now', exact: true }).click()
  await page.getByText(/^Backed up .*, all of it read back\.$/).waitFor()
  const restore = page.getByRole('region', { name: 'Backups', exact: true }).locator('code')
  const command = await restore.first().textContent()
  assert.match(String(command), /^recollect restore 2\d{3}-\d\d-\d\dT\d{6}Z$/)
  const name = String(command).split(' ').at(-1)!
  assert.ok(fs.existsSync(path.join(recollect.archive, 'backups', `${name}.backup`)))
  await page.getByRole('button', { name: `Copy the command that restores ${name}`, exact: true }).click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), command)
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'settings-backups')
  await page.context().close()
})

test('the page says what an assistant deletes after how long, and where that is set', async () => {
  const page = await recollect.open('/sources?tab=settings')
  const row = page.getByRole('region', { name: 'Deletes chats', exact: true }).getByRole('row')
  const claude = row.filter({ hasText: 'Claude Code' })
  await claude.getByText('after 30 days', { exact: true }).waitFor()
  await claude.getByText('cleanupPeriodDays', { exact: true }).waitFor()
  await claude.getByText(path.join(recollect.home, '.claude', 'settings.json'), { exact: true }).waitFor()
  await page.context().close()
})
