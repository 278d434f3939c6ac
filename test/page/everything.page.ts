import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import zlib from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { addToChat, writeChat } from './chats.ts'
import { archived, breaches, picture, type Site, site, until } from './page-kit.ts'

const ESC = '\u001b'
const LINES = 9_000
const WORDY = `${'All of this is asked. '.repeat(4_000)}And this is its end.`
const OUTPUT = Array.from({ length: LINES }, (_, line) => `line ${line} of the log`).join('\n')

let recollect: Site
let wordy = ''
before(async () => {
  recollect = await site({
    fill(home) {
      writeChat(home, 'all-kinds', [
        { title: 'Everything there is to read' },
        { asks: 'What is in this picture?', pictures: [png(4), png(160)] },
        {
          calls: 'Bash',
          input: { command: 'npm test' },
          gives: `${ESC}[31mfailed${ESC}[0m and ${ESC}[1;32mpassed${ESC}[0m`,
        },
        { calls: 'Bash', input: { command: 'cat huge.log' }, gives: OUTPUT },
        {
          calls: 'Bash',
          input: { command: 'git diff' },
          gives: `${ESC}[1mdiff --git a/x.ts b/x.ts${ESC}[m\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n${ESC}[31m-const old = 1${ESC}[m\n${ESC}[32m+const now = 2${ESC}[m`,
        },
        { says: 'I looked at **it**. Now the change:\n\n```diff\n-was here\n+is here\n```' },
        { says: 'The final answer to the picture.' },
        { asks: 'And a second request?' },
        { says: 'Work in between.' },
        { says: 'The second final answer.' },
      ])
      writeChat(home, 'drawn', [
        { title: 'Diagrams and formulas' },
        { asks: 'Draw it, please: it costs $5 to $10.' },
        {
          says: [
            'First $E = mc^2$, then \\(a_1 + b\\), and `$HOME` stays.',
            '$$\n\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n$$',
            '```mermaid\nflowchart LR\n  A[Cart] --> B{In stock?}\n  B -->|yes| C[<script>pwned()</script>]\n```',
            '```mermaid\nthis is no diagram\n```',
          ].join('\n\n'),
        },
      ])
      wordy = writeChat(home, 'wordy', [
        { title: 'A long request' },
        { asks: WORDY },
        { says: `Here it is:\n\n\`\`\`text\n${OUTPUT.slice(0, 3_000)}\nthe last line of it\n\`\`\`` },
      ])
      writeChat(home, 'one-turn', [
        { title: 'One request, much work' },
        { asks: 'Do all of it.' },
        ...Array.from({ length: 400 }, (_, n) => [
          { calls: 'Bash', input: { command: `step ${n}` }, gives: `did ${n}` },
          { says: `Milestone ${n} is reached.` },
        ]).flat(),
      ])
      writeChat(home, 'forty', [
        { title: 'Forty requests' },
        ...Array.from({ length: 40 }, (_, n) => [
          { asks: `Request number ${n}` },
          { says: `Answer number ${n}` },
        ]).flat(),
      ])
    },
  })
  const page = await recollect.open()
  await archived(page, '5 chats').waitFor()
  await page.context().close()
})
after(() => recollect.close())

const ALL = '/chat/claude-code:all-kinds'

async function opened(at: string): Promise<Page> {
  const page = await recollect.open(at)
  await page.locator('.message').first().waitFor()
  return page
}

test('pictures are shown, the large one too', async () => {
  const page = await opened(ALL)
  await until(
    page,
    `[...document.querySelectorAll('.picture-shown img')].filter((img) => img.complete && img.naturalWidth > 0)
      .map((img) => img.naturalWidth).join() === '4,160'`,
  )
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'everything')
})

test('the colours of a terminal are shown, and a diff as a diff', async () => {
  const page = await opened(ALL)
  await page.getByRole('button', { name: /^Bash npm test/ }).click()
  assert.equal(await page.locator('.ansi-red').textContent(), 'failed')
  assert.equal(await page.locator('.ansi-green.ansi-bold').textContent(), 'passed')
  await page.getByRole('button', { name: /^Bash git diff/ }).click()
  assert.equal(await page.locator('.tool-result .diff-added').textContent(), '+const now = 2\n')
  assert.equal(await page.locator('.markdown .diff-removed').textContent(), '-was here\n')
  assert.deepEqual(await breaches(page), [])
})

test('all of what a tool gave is there when it is asked for, and how much it is', async () => {
  const page = await opened(ALL)
  const card = page.getByRole('button', { name: /^Bash cat huge.log/ })
  const size = `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(OUTPUT.length / 1_000)} kB`
  assert.ok((await card.textContent())?.includes(size), size)
  await card.click()
  assert.equal(await page.getByText(`line ${LINES - 1} of the log`).count(), 0)
  await page
    .getByRole('button', { name: `Only the beginning is shown. Show all ${size}`, exact: true })
    .click()
  await page.getByRole('button', { name: `Show all ${LINES} lines`, exact: true }).click()
  await page.getByText(`line ${LINES - 1} of the log`).waitFor({ state: 'attached' })
})

test('a request is copied whole, however long it is', async () => {
  const page = await opened('/chat/claude-code:wordy')
  await page.getByRole('button', { name: 'Copy request', exact: true }).click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), WORDY)
})

test('what was shown whole stays whole while the chat goes on', async () => {
  const page = await opened('/chat/claude-code:wordy')
  await page.getByRole('button', { name: 'Too long to show at once. Show all', exact: true }).click()
  const end = page.getByText('And this is its end.')
  await end.waitFor({ state: 'attached' })
  const fetched = page.waitForResponse(/\/messages\?from=0/)
  addToChat(wordy, [{ says: 'One more thing.' }])
  await (await fetched).finished()
  await page.locator('.reader-facts').getByText('3 messages', { exact: true }).waitFor()
  await page.waitForTimeout(500)
  assert.equal(await end.count(), 1)
})

test('without the work in between: what was asked and finally answered', async () => {
  const page = await opened(ALL)
  await page.keyboard.press('v')
  await page.waitForURL(/view=focus/)
  await until(page, `document.querySelectorAll('.row .message').length === 4`)
  const said = (await page.locator('.row .message').allInnerTexts()).join('\n')
  assert.match(said, /final answer to the picture[\s\S]*second request[\s\S]*second final answer/)
  assert.ok(!/Work in between|npm test|Now the change/.test(said), said)
  assert.deepEqual(await breaches(page), [])
  await page.reload()
  await until(page, `document.querySelectorAll('.row .message').length === 4`)
  await page.getByRole('button', { name: 'Only requests and final answers', exact: true }).click()
  await page.getByText('Work in between.').waitFor()
})

test('some messages in a row are copied, without their secrets', async () => {
  const page = await opened('/chat/claude-code:forty')
  const pick = async (index: number) => {
    await page.locator(`[data-message="${index}"] .message`).hover()
    await page
      .locator(`[data-message="${index}"]`)
      .getByRole('button', { name: 'Select a range of messages', exact: true })
      .click()
  }
  await pick(1)
  await pick(3)
  await page.getByText('3 messages selected', { exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'range')
  await page.getByRole('button', { name: 'Copy', exact: true }).last().click()
  await page.getByText('3 messages copied', { exact: true }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(copied, /Answer number 0[\s\S]*Request number 1[\s\S]*Answer number 1/)
  assert.ok(!copied.includes('Request number 0\n') && !copied.includes('Request number 2'), copied)
})

test('the outline of many requests is filtered', async () => {
  const page = await opened('/chat/claude-code:forty')
  await page.getByRole('searchbox', { name: 'Filter requests', exact: true }).fill('number 33')
  await page.getByRole('heading', { name: '1 request', exact: true }).waitFor()
  await page.getByRole('link', { name: /Request number 33/ }).click()
  await page.getByText('Answer number 33').waitFor()
})

test('a long turn has a table of contents of its own', async () => {
  const page = await opened('/chat/claude-code:one-turn')
  const turn = page.getByRole('button', { name: /^What was said in the 1,201 messages of: Do all of it/ })
  const outline = page.getByRole('navigation', { name: 'Outline', exact: true })
  // Of one request alone it is open; of 400 steps every second is listed.
  assert.equal(await turn.getAttribute('aria-expanded'), 'true')
  await outline.getByRole('link', { name: 'Milestone 2 is reached.', exact: true }).waitFor()
  assert.equal(await outline.getByRole('link', { name: 'Milestone 1 is reached.', exact: true }).count(), 0)
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'long-turn')
  await page.getByRole('searchbox', { name: 'Filter requests', exact: true }).fill('Milestone 370')
  await outline.getByRole('link', { name: 'Milestone 370 is reached.', exact: true }).click()
  await page.locator('.message').getByText('Milestone 370 is reached.').waitFor()
  await page.getByRole('searchbox', { name: 'Filter requests', exact: true }).fill('')
  await outline.locator('[aria-current="location"]', { hasText: 'Milestone 3' }).waitFor()
  await atTop(page, '.outline-list', turn)
  await outline
    .getByRole('link', { name: /Milestone/ })
    .first()
    .waitFor({ state: 'detached' })
})

test('a chat is printed whole, not only what is in sight', async () => {
  const page = await recollect.open('/')
  await page.addInitScript('window.printed = 0; window.print = () => { window.printed++ }')
  await page.goto('/chat/claude-code:forty')
  await page.locator('.message').first().waitFor()
  await page.getByRole('button', { name: 'Chat actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Print…', exact: true }).click()
  await until(page, 'window.printed === 1')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('.sheet .message').count(), 80)
  assert.ok(await page.getByText('Answer number 39').isVisible())
  assert.ok(!(await page.locator('.shell').isVisible()))
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  await page.locator('.sheet').waitFor({ state: 'detached' })
})

test('on paper nothing long is cut or folded', async () => {
  const page = await recollect.open('/')
  await page.addInitScript('window.printed = 0; window.print = () => { window.printed++ }')
  await page.goto('/chat/claude-code:wordy')
  await page.locator('.message').first().waitFor()
  await page.keyboard.press('Control+p')
  await until(page, 'window.printed === 1')
  const printed = (await page.locator('.sheet').textContent()) ?? ''
  assert.match(printed, /And this is its end\./)
  assert.match(printed, /the last line of it/)
})

test('diagrams and formulas are drawn from the package, and only where there are some', async () => {
  const page = await recollect.open('/')
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await page.goto('/chat/claude-code:forty')
  await page.locator('.message').first().waitFor()
  const before = fetched.length
  assert.deepEqual(
    fetched.filter((file) => /katex|mermaid|elk/i.test(file)),
    [],
  )
  await page.goto('/chat/claude-code:drawn')
  await until(page, `document.querySelectorAll('.formula math').length === 3`)
  await until(page, `document.querySelector('.drawing > img')?.naturalWidth > 100`)
  assert.ok(
    fetched.slice(before).some((file) => /katex/.test(file)),
    fetched.join(),
  )
  await page.getByText('this is no diagram').waitFor()
  await page.getByText('it costs $5 to $10.').last().waitFor()
  assert.equal(await page.locator('.markdown code', { hasText: '$HOME' }).count(), 1)
  assert.equal(await page.evaluate(`typeof window.wasPwned`), 'undefined')
  assert.deepEqual(await breaches(page), [])
  await picture(page, 'drawn')
})

/** Clicks on what stands at the top of a list that follows what is read as soon as that rests, and may take it out of sight once more. */
async function atTop(page: Page, list: string, button: Locator): Promise<void> {
  for (let left = 20; ; left--) {
    await page.evaluate(`document.querySelector('${list}').scrollTop = 0`)
    const clicked = await button.click({ timeout: 5_000 }).then(
      () => true,
      (error: unknown) => {
        if (left === 0) throw error
        return false
      },
    )
    if (clicked) return
  }
}

/** A picture of noise, which does not get smaller. */
function png(size: number): string {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(zlib.crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: size }, () => Buffer.concat([Buffer.from([0]), randomBytes(size * 3)]))
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', zlib.deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64')
}
