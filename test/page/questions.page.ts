import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { everything, variable } from '../agent-kit.ts'
import { type OAuthSite, startOAuthSite } from '../oauth-server.ts'
import { type ScriptedModel, startScriptedModel } from '../real/scripted-model.ts'
import { bareEnvironment, root, recollect as tested } from '../run-cli.ts'
import { breaches, picture, type Site, site, withSample } from './page-kit.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let model: ScriptedModel
let recollect: Site
let oauth: OAuthSite
const one = (when: string, tool: string, args: unknown) => ({
  when,
  turns: [{ calls: [{ tool, args }] }, { text: `Done with ${when}.` }],
})
before(async () => {
  model = await startScriptedModel([
    one('want to know', 'trigger-elicitation-request', {}),
    one('borrow the model', 'trigger-sampling-request', {
      prompt: 'what is seven times six?',
      maxTokens: 50,
    }),
    { when: 'seven times six', turns: [{ text: 'Forty-two.' }] },
    { when: 'a picture', turns: [{ text: 'I see one pixel.' }] },
  ])
  oauth = await startOAuthSite()
  recollect = await site({
    fill(home) {
      withSample(home)
      const archive = path.join(path.dirname(home), 'archive')
      fs.mkdirSync(archive, { recursive: true })
      const agent = { approvals: { everything: 'always', closed: 'always' } }
      fs.writeFileSync(path.join(archive, 'config.json'), JSON.stringify({ agent }))
      const closed = { ...everything('closed'), env: { TOKEN: variable('input:closed-token') } }
      const inputs = [{ id: 'closed-token', description: 'The token of the closed server' }]
      const vault = { id: 'vault', transport: 'http', url: oauth.url }
      const servers = [closed, vault]
      fs.writeFileSync(path.join(archive, 'mcp-servers.json'), JSON.stringify({ servers, inputs }))
    },
    env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url, RECOLLECT_KEYCHAIN: 'off' },
  })
})
after(async () => {
  try {
    await recollect.close()
  } finally {
    await Promise.all([model.close(), oauth.close()])
  }
})

test('what a server wants before it starts is entered on the page; then its form is filled in there', async () => {
  const page = await recollect.open('/ask')
  const wanted = page.getByRole('region', { name: 'closed wants closed-token', exact: true })
  await wanted.waitFor()
  assert.deepEqual(await breaches(page), [])
  await wanted.getByLabel('The token of the closed server', { exact: true }).fill('zq-entered-here')
  await wanted.getByRole('button', { name: 'Answer', exact: true }).click()
  await wanted.waitFor({ state: 'detached' })
  assert.match(fs.readFileSync(path.join(recollect.archive, 'keys.json'), 'utf8'), /zq-entered-here/)

  const ask = async (message: string) => {
    await page.getByRole('textbox', { name: 'Your message', exact: true }).fill(message)
    await page.keyboard.press('Enter')
  }
  await ask('I want to know')
  const form = page.getByRole('region', { name: 'closed asks', exact: true })
  await form.waitFor()
  assert.deepEqual(await breaches(page), [])
  // It waits on the server, whoever looks.
  await page.reload()
  await form.getByLabel('String', { exact: true }).fill('Ada')
  await form.getByLabel('Integer', { exact: true }).fill('7')
  await form.getByLabel('Piano', { exact: true }).check()
  await form.getByLabel('Titled Single Select Enum', { exact: true }).selectOption({ label: 'Wonder Woman' })
  await picture(page, 'ask-question')
  await form.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByText('Done with want to know.').waitFor()
  await form.getByText('Answered', { exact: true }).waitFor()
  const told = JSON.stringify(model.requests.at(-1)?.body)
  for (const each of ['Ada', 'Piano', 'hero-3']) assert.ok(told.includes(each), each)

  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  await ask('borrow the model')
  const sampling = page.getByRole('region', { name: 'closed wants the model to answer:', exact: true })
  await sampling.getByText('seven times six').waitFor()
  await sampling.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByText('Done with borrow the model.').waitFor()
  assert.ok(JSON.stringify(model.requests.at(-1)?.body).includes('Forty-two.'))
})

test('a server that wants a sign-in gives the command to copy; once signed in, its tools are there', async () => {
  const page = await recollect.open('/ask')
  const wanted = page.getByRole('region', { name: 'vault wants you to sign in', exact: true })
  await wanted.waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'ask-sign-in')
  await wanted.getByRole('button', { name: 'Copy the command', exact: true }).click()
  await wanted.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  const command = String(await page.evaluate('navigator.clipboard.readText()'))
  assert.equal(command, 'recollect mcp-servers login vault')
  const child = spawn(process.execPath, [tested, ...command.split(' ').slice(1)], {
    cwd: root,
    env: { ...bareEnvironment(), HOME: recollect.home, RECOLLECT_HOME: recollect.archive },
  })
  let said = ''
  const ended = new Promise((resolve) => child.once('close', resolve))
  const shown = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        said += data
        if (/authorize\S+\n/.test(said)) resolve(true)
      })
  })
  assert.equal(await Promise.race([shown, ended]), true, said)
  await fetch(/http:\S+authorize\S+/.exec(said)![0])
  assert.equal(await ended, 0, said)
  await wanted.waitFor({ state: 'detached' })
  await page.locator('.ask-servers li', { hasText: 'vault' }).getByText('1 tool', { exact: true }).waitFor()
})

test('a picture is pasted, and another one dropped', async () => {
  const page = await recollect.open('/ask')
  const box = page.getByRole('textbox', { name: 'Your message', exact: true })
  await box.waitFor()
  const give = async (event: 'paste' | 'drop', name: string) =>
    await page.evaluate(
      `(() => {
        const bytes = Uint8Array.from(atob('${PIXEL}'), (each) => each.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], '${name}', { type: 'image/png' }))
        const target = document.querySelector('.ask-compose textarea')
        target.dispatchEvent('${event}' === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
      })()`,
    )
  await give('paste', 'pasted.png')
  await page.getByText('pasted.png').waitFor()
  await give('drop', 'dropped.png')
  await page.getByText('dropped.png').waitFor()
  await box.fill('What is in a picture like this?')
  await page.keyboard.press('Enter')
  await page.getByText('I see one pixel.').waitFor()
  assert.equal(JSON.stringify(model.requests.at(-1)?.body).split(PIXEL).length - 1, 2)
})
