import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type ScriptedModel, startScriptedModel } from '../real/scripted-model.ts'
import { archived, breaches, picture, type Site, site, withSample } from './page-kit.ts'

const CHAT = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'

const STORY = Array.from({ length: 40 }, (_, n) => `Chapter ${n} follows.`).join(' ')
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let model: ScriptedModel
let recollect: Site
let project: string
/** Where it is to be written is known later. */
const start = { workspace: '' }
before(async () => {
  model = await startScriptedModel([
    {
      when: 'deadlock',
      turns: [
        { calls: [{ tool: 'search_conversations', args: { query: 'deadlock checkout' } }] },
        {
          text: `You decided to lock the stock rows **in one order** (context://sessions/${CHAT}#m12), and never did (context://sessions/${CHAT}#m77).`,
        },
      ],
    },
    { when: 'a long story', turns: [{ text: `${STORY} The end.`, paceMs: 100 }] },
    { when: 'without an end', turns: [{ text: STORY, fault: 'hang' }] },
    { when: 'a picture', turns: [{ text: 'I see one pixel.' }] },
    { when: 'shorter', turns: [{ text: 'Once, and that is all.' }] },
    {
      when: 'note',
      turns: [{ calls: [{ tool: 'init_context', args: start }] }, { text: 'Noted.' }],
    },
  ])
  recollect = await site({
    fill(home) {
      withSample(home)
      project = path.join(home, 'project')
      fs.mkdirSync(project)
      start.workspace = project
    },
    env: {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: model.url,
      // An agent writes only in the folder that it was given.
      get WORKSPACE() {
        return project
      },
    },
  })
  // What is asked about has to be read first.
  const page = await recollect.open()
  await archived(page, '13 chats').waitFor()
  await page.context().close()
})
after(async () => {
  try {
    await recollect.close()
  } finally {
    await model.close()
  }
})

test('an answer streams, shows the tools it used, and links to the chats it read', async () => {
  const page = await recollect.open('/ask')
  await page
    .getByRole('textbox', { name: 'Your message', exact: true })
    .fill('What did I decide about the deadlock?')
  await page.keyboard.press('Enter')
  await page.getByText('in one order').waitFor()
  const tool = page.getByRole('button', { name: /Used search_conversations/ })
  await tool.click()
  await page.getByText('deadlock checkout').first().waitFor()
  await page
    .getByRole('navigation', { name: 'Chats used', exact: true })
    .getByRole('link', { name: 'Deadlock between checkout and the stock import', exact: true })
    .waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'ask')
  assert.match(page.url(), /session=/)
  await page.reload()
  await page.getByText('in one order').waitFor()
  await page.getByText(`${CHAT.slice(0, 8)}#77 (unverified)`).waitFor()
  assert.equal(await page.getByRole('link', { name: `${CHAT.slice(0, 8)}#77` }).count(), 0)
  await page.getByRole('link', { name: `${CHAT.slice(0, 8)}#12`, exact: true }).click()
  await page.waitForURL(/\/chat\/.*#m12$/)
  await page.getByText('Since Friday production logs').first().waitFor()
})

test('what writes waits for the person: denied it does not happen, allowed it does', async () => {
  const page = await recollect.open('/ask')
  const take = async () => {
    await page.getByRole('textbox', { name: 'Your message', exact: true }).fill('Take a note of it')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
  }
  await take()
  const question = page.getByRole('region', { name: /Allow init_context from recollect/ })
  await question.waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'ask-approval')
  await page.reload()
  await question.getByRole('button', { name: 'Deny', exact: true }).click()
  await page.getByText('Noted.').waitFor()
  await question.getByText('Denied').waitFor()
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /not executed/i)
  assert.ok(!fs.existsSync(path.join(project, 'context.md')))

  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  await take()
  await question.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByText('Noted.').waitFor()
  assert.ok(fs.existsSync(path.join(project, 'context.md')))
})

test('a run goes on while the view is left and the page is reloaded', async () => {
  const page = await recollect.open('/ask')
  const box = page.getByRole('textbox', { name: 'Your message', exact: true })
  await box.fill('Tell me a long story')
  await page.keyboard.press('Enter')
  await page.getByText('Chapter 1 follows').waitFor()
  const asked = model.requests.length
  await page.getByRole('link', { name: 'Search', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Your message', exact: true }).waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByText('Chapter 2 follows').waitFor()
  await page.reload()
  await page.getByText('The end.').waitFor()
  const answer = page.getByRole('article', { name: 'Recollect', exact: true })
  assert.equal(((await answer.textContent()) ?? '').replaceAll(/\s+/g, ' ').trim(), `${STORY} The end.`)
  assert.equal(model.requests.length, asked, 'it was asked once')
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await box.fill('Now one without an end')
  await page.keyboard.press('Enter')
  await answer.nth(1).getByText('Chapter 3 follows').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByText('Stopped.').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
})

test('a picture goes with the message, and a request is asked again in other words', async () => {
  const page = await recollect.open('/ask')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a note of mine') },
  ])
  await page.getByText('dot.png').waitFor()
  await page
    .getByRole('textbox', { name: 'Your message', exact: true })
    .fill('What is in a picture like this?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('I see one pixel.').waitFor()
  const sent = JSON.stringify(model.requests.at(-1)?.body)
  assert.ok(sent.includes(PIXEL) && sent.includes('a note of mine'))
  await page.getByRole('article', { name: 'You', exact: true }).getByText('notes.txt').waitFor()
  const before = page.url()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const draft = page.getByRole('textbox', { name: 'Edit', exact: true })
  assert.equal(await draft.inputValue(), 'What is in a picture like this?')
  await draft.fill('Say it shorter')
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Ask again', exact: true }).click()
  await page.getByText('Once, and that is all.').waitFor()
  assert.notEqual(page.url(), before)
  assert.equal(await page.getByText('I see one pixel.').count(), 0)
  await page.goto(before)
  await page.getByText('I see one pixel.').waitFor()
})

test('an answer is copied with its sources, and the chosen model answers', async () => {
  const page = await recollect.open('/ask?model=anthropic/claude-chosen')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('textbox', { name: 'Your message', exact: true }).fill('The deadlock once more?')
  await page.keyboard.press('Enter')
  await page.getByText('in one order').waitFor()
  await page.getByText(/anthropic\/claude-chosen/).waitFor()
  assert.equal(model.requests.at(-1)?.model, 'claude-chosen')
  await page.getByRole('button', { name: 'Copy with sources', exact: true }).click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  const origin = new URL(page.url()).origin
  assert.match(copied, new RegExp(`in one order.*${origin}/chat/${CHAT}`))
  assert.match(copied, /Chats used:\n- \[Deadlock between checkout and the stock import\]\(http/)
})

test('a dialog is deleted', async () => {
  const page = await recollect.open('/ask')
  const dialog = page
    .getByRole('navigation', { name: 'Chats', exact: true })
    .getByRole('link', { name: /What did I decide about the deadlock/ })
    .first()
  await dialog.click()
  await page.getByText('in one order').waitFor()
  await page.getByRole('button', { name: 'Delete this chat', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
})
