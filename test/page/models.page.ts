import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type LocalProgram, startLmStudio, startOllama, startPicky } from '../local-programs.ts'
import { type ScriptedModel, startScriptedModel } from '../real/scripted-model.ts'
import { breaches, picture, type Site, site } from './page-kit.ts'

const KEY = 'sk-ant-zz9-pasted2Q7mXw9LtB4vNcE8sY1jHf6Ua'
const WRONG = 'sk-ant-zz9-wrong55Q7mXw9LtB4vNcE8sY1jHf6'
let recollect: Site
let model: ScriptedModel
let programs: { picky: LocalProgram; ollama: LocalProgram; studio: LocalProgram }
before(async () => {
  const [picky, ollama, studio] = await Promise.all([startPicky(KEY), startOllama(), startLmStudio()])
  programs = { picky, ollama, studio }
  model = await startScriptedModel([{ when: 'hello', turns: [{ text: 'Hello from the router.' }] }])
  recollect = await site({
    env: { RECOLLECT_KEYCHAIN: 'off', ANTHROPIC_BASE_URL: picky.url, OLLAMA_HOST: ollama.url },
  })
})
after(async () => {
  try {
    await recollect.close()
  } finally {
    await Promise.all([...Object.values(programs).map((each) => each.close()), model.close()])
  }
})

const config = () => JSON.parse(fs.readFileSync(path.join(recollect.archive, 'config.json'), 'utf8')).agent

test('a key is entered, tried and kept, and never comes back', async () => {
  const page = await recollect.open('/sources?tab=models')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const answers: string[] = []
  page.on('response', (response) =>
    response.text().then(
      (text) => answers.push(text),
      () => {},
    ),
  )
  const row = page.getByRole('listitem', { name: 'Anthropic', exact: true })
  await row.getByText('needs a key').waitFor()
  await page.getByText(path.join(recollect.archive, 'keys.json')).waitFor()
  await row.getByRole('button', { name: 'Set up: Anthropic', exact: true }).click()
  assert.deepEqual(await breaches(page), [])
  const key = row.getByLabel('API key', { exact: true })
  assert.equal(await key.getAttribute('type'), 'password')
  const save = row.getByRole('button', { name: 'Test and save', exact: true })
  assert.ok(await save.isDisabled())
  await key.fill(WRONG)
  recollect.allow(page, /status of 502/)
  await save.click()
  await row.getByText('Anthropic refuses the key.').waitFor()
  assert.ok(!fs.existsSync(path.join(recollect.archive, 'keys.json')))
  await key.fill(KEY)
  await save.click()
  await row.getByText('key in the file').waitFor()
  await row.getByText('ready', { exact: true }).waitFor()
  await row.getByText('default', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Test: Anthropic', exact: true }).click()
  await page.getByText('Anthropic answers: 2 models.').waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'models')
  assert.equal(fs.statSync(path.join(recollect.archive, 'keys.json')).mode & 0o777, 0o600)
  await page.reload()
  await row.getByRole('button', { name: 'Change: Anthropic', exact: true }).click()
  assert.equal(await key.inputValue(), '')
  assert.ok(!(await page.content()).includes('pasted2Q7'))
  for (const text of [...asked, ...answers]) assert.ok(!/pasted2Q7|wrong55Q7/.test(text))
  await row.getByRole('button', { name: 'Remove key: Anthropic', exact: true }).click()
  await row.getByText('needs a key').waitFor()
  assert.ok(!fs.readFileSync(path.join(recollect.archive, 'keys.json'), 'utf8').includes(KEY))
})

test('programs on this machine are found, with their context size, and one of them is chosen', async () => {
  const page = await recollect.open('/sources?tab=models')
  const ollama = page.getByRole('listitem', { name: 'Ollama', exact: true })
  await ollama.getByText('found on this machine').waitFor()
  await page.getByRole('listitem', { name: 'LM Studio', exact: true }).getByText('not running').waitFor()
  await ollama.getByRole('button', { name: 'Change: Ollama', exact: true }).click()
  await ollama.getByLabel('Context size, in tokens', { exact: true }).fill('16384')
  await ollama.getByRole('button', { name: 'Test and save', exact: true }).click()
  await ollama.getByText('reads 16,384 tokens').waitFor()
  assert.equal(config().providers.ollama.context, 16_384)
  const who = page.getByRole('combobox', { name: 'Who answers', exact: true })
  await who.selectOption('ollama/gemma:2b')
  await ollama.getByText('default', { exact: true }).waitFor()
  assert.deepEqual([config().provider, config().model], ['ollama', 'gemma:2b'])
})

test('a provider of one’s own is added and answers; a budget is set', async () => {
  const page = await recollect.open('/sources?tab=models')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const form = page.getByRole('form', { name: 'Another provider', exact: true })
  await form.getByLabel('Name', { exact: true }).fill('router')
  await form.getByLabel('Address of its API', { exact: true }).fill(`${model.url}/v1`)
  await form.getByLabel('Model', { exact: true }).fill('tiny')
  assert.deepEqual(await breaches(page), [])
  await form.getByRole('button', { name: 'Test and save', exact: true }).click()
  const row = page.getByRole('listitem', { name: 'router', exact: true })
  await row.getByText(`${model.url}/v1`).waitFor()
  await page.getByRole('combobox', { name: 'Who answers', exact: true }).selectOption('router')
  await row.getByText('default', { exact: true }).waitFor()
  await page.getByLabel('A day: US dollars', { exact: true }).fill('5')
  await page.getByLabel('One answer: tokens', { exact: true }).fill('200000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The budget is saved.').waitFor()
  assert.deepEqual(config().budget, { run: { tokens: 200_000 }, day: { cost: 5 } })
  await page.goto('/ask')
  await page.getByRole('textbox', { name: 'Your message', exact: true }).fill('hello')
  await page.keyboard.press('Enter')
  await page.getByText('Hello from the router.').waitFor()
})

for (const language of ['ru', 'zh'])
  test(`the tab is usable in ${language}`, async () => {
    const page = await recollect.open('/sources?tab=models', { language })
    await page
      .getByText(language === 'ru' ? 'Кто отвечает' : '由谁回答', { exact: true })
      .first()
      .waitFor()
    assert.deepEqual(await breaches(page), [])
  })
