import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createToken } from '../../src/platform/tokens.ts'
import { breaches, found, picture, type Site, sampleSite } from './page-kit.ts'

let recollect: Site
before(async () => {
  recollect = await sampleSite()
})
after(async () => await recollect.close())

test('the link signs in, and leaves nothing in the address', async () => {
  const page = await recollect.open('/?q=deadlock')
  await found(page, '3 chats').waitFor()
  assert.doesNotMatch(page.url(), /proof|code/)
  assert.match(String(await page.evaluate("localStorage.getItem('recollect.proof')")), /^[\w-]{43}$/)
})

test('a page on another port is sent the cookie, and can do nothing with it', async () => {
  const page = await recollect.open('/')
  await page.getByText('13 chats, 141 messages', { exact: true }).waitFor()
  const { origin, hostname } = new URL(recollect.url)
  let cookie = ''
  const evil = http
    .createServer((request, response) => {
      cookie ||= request.headers.cookie ?? ''
      response.setHeader('content-type', 'text/html').end('<title>evil</title>')
    })
    .listen(0, hostname)
  await new Promise((resolve) => evil.once('listening', resolve))
  const { port } = evil.address() as AddressInfo
  try {
    const beside = await page.context().newPage()
    await beside.goto(`http://${hostname}:${port}/`)
    assert.match(cookie, /^recollect-\d+=/, 'the browser does send it: cookies know no ports')
    assert.equal(await beside.evaluate("localStorage.getItem('recollect.proof')"), null)
    const read = await beside.evaluate(
      `fetch('${origin}/api/v1/overview', { credentials: 'include' }).then((answer) => answer.status, () => 'refused')`,
    )
    assert.equal(read, 'refused')
    // And what its server can do by itself, with what it was sent.
    for (const headers of [
      { cookie, origin },
      { cookie, origin, 'x-recollect': '1' },
    ]) {
      const made = await fetch(`${origin}/api/v1/tokens`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"name":"mine"}',
      })
      assert.equal(made.status, 401)
    }
  } finally {
    evil.close()
    evil.closeAllConnections()
  }
})

test('a browser that lost its proof is told to open the link, and the link helps', async () => {
  const page = await recollect.open('/')
  await page.getByText('13 chats, 141 messages', { exact: true }).waitFor()
  recollect.allow(page, /status of 401/)
  await page.evaluate("localStorage.removeItem('recollect.proof')")
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  assert.deepEqual(await breaches(page), [])
})

const NOTHING_SHARED = {
  en: 'Nothing is shared with you here yet',
  ru: 'С вами здесь пока ничем не поделились',
  zh: '这里还没有与你共享的对话',
}
for (const [language, nothingShared] of Object.entries(NOTHING_SHARED))
  test(`${language}: what is said before somebody is let in is accessible, and fits a phone`, async () => {
    const storageState = { cookies: [], origins: [] }
    const page = await recollect.open('/', {
      language,
      viewport: { width: 390, height: 844 },
      storageState,
      complaint: /status of 401/,
    })
    const looksRight = async (name: string) => {
      assert.equal(await page.getAttribute('html', 'lang'), language)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await breaches(page), [], name)
        await picture(page, `sign-in-${name}-${language}-${colorScheme}`)
      }
    }
    await looksRight('link')
    await page.goto('/open?code=used')
    await looksRight('used')
    await page.evaluate(`(() => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '/open' })
      document.body.append(form)
      form.submit()
    })()`)
    await page.locator('input[name=token]').waitFor()
    await looksRight('token')
    // The form gets through as a browser sends it: refused by what is typed, not by where it comes from.
    const send = async (token: string) => {
      await page.locator('input[name=token]').fill(token)
      await Promise.all([page.waitForEvent('framenavigated'), page.locator('button').click()])
    }
    await send('no-such-token')
    await page.locator('input[name=token]').waitFor()
    await send(createToken(recollect.archive, language, { spaces: ['team'] }).token)
    await page.locator('.search-box input').waitFor()
    // A guest is not shown where the owner's assistants keep their chats, and does not ask.
    await page.getByRole('heading', { name: nothingShared, exact: true }).waitFor()
    await page.context().close()
  })
