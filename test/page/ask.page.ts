import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type ScriptedModel, startScriptedModel } from '../real/scripted-model.ts'
import { breaches, picture, type Site, site, withSample } from './page-kit.ts'

const CHAT = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'

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
        { text: `You decided to lock the stock rows **in one order** (context://sessions/${CHAT}).` },
      ],
    },
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
})
after(async () => {
  await recollect.close()
  await model.close()
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
  await page.getByRole('link', { name: CHAT.slice(0, 8), exact: true }).click()
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

test('a dialog is deleted', async () => {
  const page = await recollect.open('/ask')
  const dialog = page
    .getByRole('navigation', { name: 'Chats', exact: true })
    .getByRole('link', { name: /What did I decide about the deadlock/ })
  await dialog.click()
  await page.getByText('in one order').waitFor()
  await page.getByRole('button', { name: 'Delete this chat', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
})
