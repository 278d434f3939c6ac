import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addToChat, HOSTILE, longChat, writeChat } from './chats.ts'
import { archived, breaches, picture, type Site, site, until, withSample } from './page-kit.ts'

let recollect: Site
let running = ''
before(async () => {
  recollect = await site({
    fill(home) {
      withSample(home)
      writeChat(home, 'long-chat', longChat(10_000))
      writeChat(home, 'hostile-chat', [
        { title: 'An attack <script>pwned()</script>' },
        { asks: HOSTILE.join('\n\n') },
        { says: HOSTILE.join('\n\n'), thinking: HOSTILE.join('\n\n') },
        { calls: HOSTILE[1]!, input: { command: HOSTILE.join('\n') }, gives: HOSTILE.join('\n') },
        { calls: 'Task', input: { prompt: HOSTILE.join('\n\n') }, gives: HOSTILE.join('\n\n') },
      ])
      writeChat(home, 'nested-chat', [
        { asks: `${'> '.repeat(3_000)}the innermost` },
        { says: 'That is **deep**.' },
      ])
      writeChat(home, 'told-by-tools', [
        { title: 'Much that nobody said' },
        { asks: '<system-reminder>Remember the house rules.</system-reminder>', injected: true },
        { asks: '<system-reminder>And the open files.</system-reminder>', injected: true },
        { asks: 'What is left to do?' },
        {
          calls: 'apply_patch',
          input: {
            input:
              '*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-const a = 1\n+const a = 2\n*** End Patch',
          },
          gives: 'Done!',
        },
        { says: 'Nothing.' },
      ])
      writeChat(home, 'right-to-left', [
        { asks: 'كيف أصلح هذا الخطأ؟' },
        { says: 'استخدم قفلا واحدا.\n\nOne lock.' },
      ])
      running = writeChat(home, 'running-chat', [
        { title: 'It is still going on' },
        ...Array.from({ length: 30 }, (_, number) => [
          { asks: `Step ${number}?` },
          { says: `Step ${number} is done.` },
        ]).flat(),
      ])
    },
  })
  const page = await recollect.open()
  await archived(page, '19 chats').waitFor()
  await page.context().close()
})
after(() => recollect.close())

const DEADLOCK = '/chat/claude-code:b6fb68b8-36d3-4357-8b35-71944dd9ba8f'

async function opened(at: string, options = {}): Promise<Page> {
  const page = await recollect.open(at, options)
  await page.locator('.message').first().waitFor()
  return page
}

test('a link to a chat may have its colon escaped, as mail programs do', async () => {
  const page = await opened(DEADLOCK.replace(':', '%3A'))
  await page.getByRole('heading', { name: 'Deadlock between checkout and the stock import' }).waitFor()
  await page.context().close()
})

test('a chat is read as it was held: requests, answers, tools and changes', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await opened(DEADLOCK, { colorScheme })
    await page
      .getByRole('heading', { level: 1, name: 'Deadlock between checkout and the stock import', exact: true })
      .waitFor()
    assert.equal(
      await page.locator('.message-request').first().locator('.message-number').textContent(),
      '#0',
    )
    const read = page.getByRole('button', { name: /^Read src\/checkout\/reserve.ts/ })
    assert.equal(await read.getAttribute('aria-expanded'), 'false')
    await read.click()
    await page.getByText('export async function reserve').first().waitFor()
    await page
      .getByRole('button', { name: /^Thinking/ })
      .first()
      .click()
    await page.getByText('hand it to an Explore agent').waitFor()
    assert.deepEqual(await breaches(page), [])
    await page.goto(`${DEADLOCK}#m6`)
    await page.locator('.diff-added').first().waitFor()
    assert.equal(await page.locator('.diff').first().locator('.diff-added').count(), 4)
    assert.deepEqual(await breaches(page), [])
    await picture(page, `chat-${colorScheme}`)
  }
})

test('the outline and j and k go from request to request', async () => {
  const page = await opened(DEADLOCK)
  const here = page.locator('.outline [aria-current]')
  await page.keyboard.press('j')
  await page.getByText('Do 1 and 3 for the checkout now, with at most 3 attempts').last().waitFor()
  await here.filter({ hasText: 'Do 1 and 3' }).waitFor()
  await page.keyboard.press('k')
  await here.filter({ hasText: 'Since Friday' }).waitFor()
  await page.getByRole('link', { name: /How would I see such a thing/ }).click()
  assert.match(page.url(), /#m11$/)
  await page.keyboard.press('o')
  await page.locator('.outline').waitFor({ state: 'detached' })
})

test('a sub-agent is one click from its parent, and back', async () => {
  const page = await opened(DEADLOCK)
  await page.getByRole('link', { name: /List all writers of stock/ }).click()
  await page.getByRole('heading', { level: 1, name: 'List all writers of stock', exact: true }).waitFor()
  await page.getByText('Task from the parent agent').waitFor()
  await page.getByRole('link', { name: /Deadlock between checkout/ }).click()
  await page.getByRole('heading', { level: 1, name: /Deadlock between checkout/ }).waitFor()
})

test('words are found in a chat, folded parts included', async () => {
  const page = await opened(DEADLOCK)
  await page.keyboard.press('f')
  await page.keyboard.type('retryOn')
  await page.getByText(/1 of \d/).waitFor()
  // As soon as more is typed, what was found for less no longer counts.
  await page.keyboard.type('Deadlock')
  await page.getByText(/1 of \d/).waitFor()
  await until(page, `CSS.highlights.get('found')?.size > 0`)
  await page.keyboard.press('Enter')
  await page.getByText(/2 of \d/).waitFor()
  assert.deepEqual(await breaches(page), [])
  assert.equal(await page.locator('.find-count', { hasText: /^2 of/ }).count(), 1, 'it stays there')
  await page.keyboard.press('Escape')
  await until(page, `!CSS.highlights.has('found')`)
  assert.match(page.url(), /\/chat\//)
})

test('the command to resume a chat is copied, and so is a request', async () => {
  const page = await opened(DEADLOCK)
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.getByText('Command copied').waitFor()
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(await clipboard(), /claude --resume b6fb68b8/)
  await page.locator('.message-request').first().hover()
  await page.getByRole('button', { name: 'Copy request', exact: true }).first().click()
  assert.match(await clipboard(), /^Since Friday production logs/)
})

test('it is exported as a file', async () => {
  const page = await opened(DEADLOCK)
  await page.getByRole('button', { name: 'Chat actions', exact: true }).click()
  await page.keyboard.press('Escape')
  assert.match(page.url(), /\/chat\//, 'it closes the menu and nothing else')
  await page.getByRole('button', { name: 'Chat actions', exact: true }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Markdown', exact: true }).click(),
  ])
  assert.match(download.suggestedFilename(), /\.md$/)
})

test('an export that the server no longer answers says so', async () => {
  const page = await opened(DEADLOCK, { complaint: /Failed to load resource/ })
  await page.route('**/api/v1/export?*', (route) => route.abort())
  await page.getByRole('button', { name: 'Chat actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Markdown', exact: true }).click()
  await page.getByText('Recollect does not answer.', { exact: true }).waitFor({ timeout: 10_000 })
})

test('what a tool put in is one quiet line, and a patch is a change', async () => {
  const page = await opened('/chat/claude-code:told-by-tools')
  await page.getByText('What is left to do?').last().waitFor()
  assert.equal(await page.getByText('house rules').count(), 0)
  await page.getByRole('button', { name: '2 messages added by the tool', exact: true }).click()
  await page.getByText('house rules').first().waitFor()
  assert.equal(await page.locator('.diff-added').textContent(), '+const a = 2\n')
  assert.equal(await page.locator('.diff-removed').textContent(), '-const a = 1\n')
  // It is forgotten below, which a window that shows it would ask about.
  await page.context().close()
})

test('ten thousand messages: few are there at a time, any is at hand', async () => {
  const page = await opened('/chat/claude-code:long-chat')
  await page.getByText('Question 0: what about needle 0?').last().waitFor()
  assert.ok((await page.locator('.row').count()) < 60)
  await page.goto('/chat/claude-code:long-chat#m7000')
  await page.locator('[data-index="7000"] .message').waitFor()
  const seen = await page.locator('[data-index="7000"]').boundingBox()
  assert.ok(seen && seen.y > 40 && seen.y < 400, JSON.stringify(seen))
  await page.keyboard.press('Shift+G')
  await page.locator('[data-index="9999"] .message').waitFor()
  await page.keyboard.press('f')
  await page.keyboard.type('needle 4999')
  await page.getByText(/1 of \d/).waitFor()
  await page.locator('[data-index="4999"] .message').waitFor()
  assert.ok((await page.locator('.row').count()) < 60)
})

test('scrolling through it shows text all the way', async () => {
  const page = await opened('/chat/claude-code:long-chat')
  for (let screen = 1; screen <= 25; screen++) {
    await page.evaluate(`document.querySelector('.messages').scrollBy(0, 700)`)
    await until(
      page,
      `(() => {
      const box = document.querySelector('.messages').getBoundingClientRect()
      return [...document.querySelectorAll('.row')].some((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return bottom > box.top && top < box.bottom && row.querySelector('.message')
      })
    })()`,
    )
  }
  assert.ok((await page.evaluate<number>(`document.querySelector('.messages').scrollTop`)) > 10_000)
})

test('while a chat goes on, what is new comes by itself, and the end stays in sight', async () => {
  const page = await opened('/chat/claude-code:running-chat')
  await page.keyboard.press('Shift+G')
  await page.getByText('Step 29 is done.').waitFor()
  // It is drawn before the scrolling has come to its end.
  await page.getByRole('button', { name: 'Jump to the end', exact: true }).waitFor({ state: 'hidden' })
  addToChat(running, [{ asks: 'One more step?' }, { says: 'One more step is done.' }])
  await page.getByText('One more step is done.').waitFor()
  await until(
    page,
    `[...document.querySelectorAll('.row')].some((row) =>
      row.textContent.includes('One more step is done.') && row.getBoundingClientRect().top < innerHeight)`,
  )
})

test('whatever is written in a chat stays text', async () => {
  const page = await recollect.open('/')
  await page.addInitScript('window.pwned = () => { window.wasPwned = true }')
  await page.goto('/?q=attack')
  await page.getByRole('link', { name: 'An attack <script>pwned()</script>', exact: true }).click()
  await page.locator('.message').first().waitFor()
  await page.keyboard.press('e')
  await page.getByText('<svg/onload=pwned()>').first().waitFor()
  for (const link of await page.locator('.markdown a').all())
    assert.match((await link.getAttribute('href')) ?? '', /^(https?:|mailto:)/)
  assert.equal(
    await page.locator('.messages :is(img, iframe, script, style, form, link, object, embed)').count(),
    0,
  )
  assert.equal(
    await page.locator('.messages [style*="http"], .messages [onerror], .messages [onload]').count(),
    0,
  )
  await page.getByText('click me').first().click()
  assert.equal(await page.evaluate('window.wasPwned'), undefined)
  assert.match(page.url(), /hostile-chat/)
})

test('a message that is nested too deeply is shown as it was written, and the others as ever', async () => {
  const page = await recollect.open('/chat/claude-code:nested-chat', { complaint: /RangeError|call stack/ })
  await page.locator('.message strong', { hasText: 'deep' }).waitFor()
  assert.match((await page.locator('.message').first().textContent()) ?? '', /> > > the innermost/)
})

test('on a phone it fits, with everything at hand', async () => {
  const page = await opened(DEADLOCK, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  })
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Outline', exact: true }).click()
  await page.getByRole('link', { name: /How would I see such a thing/ }).click()
  await page.getByText('Three cheap signals').waitFor()
  await picture(page, 'phone-chat')
})

test('a chat that is not there says so', async () => {
  const page = await recollect.open('/chat/claude-code:never-was', { complaint: /status of 404/ })
  await page.getByRole('heading', { name: 'This chat is not in the archive', exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
})

test('a chat is forgotten only after it was asked about', async () => {
  const page = await opened('/chat/claude-code:told-by-tools')
  const ask = async () => {
    await page.getByRole('button', { name: 'Chat actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Forget this chat…', exact: true }).click()
  }
  await ask()
  assert.deepEqual(await breaches(page), [])
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await ask()
  await page.getByRole('button', { name: 'Forget', exact: true }).click()
  await page.getByText('Chat forgotten.').waitFor()
  await archived(page, '18 chats').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Much that nobody said', exact: true }).count(), 0)
})

test('each paragraph runs in the direction of its script', async () => {
  const page = await opened('/chat/claude-code:right-to-left')
  const edges =
    await page.evaluate(`[...document.querySelectorAll('.message .markdown p')].map((paragraph) => {
    const range = document.createRange()
    range.selectNodeContents(paragraph)
    const [text, box] = [range.getBoundingClientRect(), paragraph.getBoundingClientRect()]
    return text.left - box.left < 2 ? 'left' : box.right - text.right < 2 ? 'right' : 'between'
  })`)
  assert.deepEqual(edges, ['right', 'right', 'left'])
  await page.context().close()
})

test('a chat that is forgotten elsewhere is gone from an open window too', async () => {
  const [window, other] = await Promise.all([
    opened('/chat/claude-code:right-to-left', { complaint: /404/ }),
    // It may hear of what it did itself before it shows another page.
    opened('/chat/claude-code:right-to-left', { complaint: /404/ }),
  ])
  await other.getByRole('button', { name: 'Chat actions', exact: true }).click()
  await other.getByRole('menuitem', { name: 'Forget this chat…' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
  await other.waitForURL(/\/$/)
  await window.getByText('This chat is not in the archive').waitFor({ timeout: 30_000 })
  assert.equal(await window.locator('.message').count(), 0)
})
