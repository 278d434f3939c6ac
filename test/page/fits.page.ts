import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { picture, type Site, sampleSite } from './page-kit.ts'

/** Words are of different lengths in each language: none may be cut by its button, or push it off a phone's screen. */
const PAGES = [
  '/',
  '/?q=deadlock',
  '/?q=xyzzyplugh',
  '/chat/claude-code:b6fb68b8-36d3-4357-8b35-71944dd9ba8f',
  '/ask',
  '/compare',
  '/evidence?q=deadlock',
  '/dashboard',
  '/context',
  '/sources',
  ...['problems', 'settings', 'access', 'hub', 'privacy'].map((tab) => `/sources?tab=${tab}`),
]

let recollect: Site
before(async () => {
  recollect = await sampleSite()
})
after(() => recollect.close())

for (const language of ['en', 'ru', 'zh'])
  test(`${language}: every button, tab and link holds its words at 390 pixels`, async () => {
    const page = await recollect.open('/', { language, viewport: { width: 390, height: 844 } })
    const cut: string[] = []
    let looked = 0
    for (const at of PAGES) {
      await page.goto(at)
      await page.getByRole('main').waitFor()
      const found = await settled(page)
      looked += found.looked
      cut.push(...found.cut.map((each) => `${at}: ${each}`))
      if (found.cut.length > 0) await picture(page, `fits-${language}`)
    }
    assert.ok(looked > 150, `only ${looked} were looked at`)
    assert.deepEqual(cut, [])
    await page.context().close()
  })

test('a text that is too long would be noticed', async () => {
  const page = await recollect.open('/sources', { viewport: { width: 390, height: 844 } })
  await page.getByRole('tab').first().waitFor()
  await page.evaluate(`(() => {
    const button = document.createElement('button')
    button.textContent = 'Donaudampfschifffahrtsgesellschaftskapitän'
    button.style.cssText = 'width: 90px; overflow: hidden; white-space: nowrap'
    document.querySelector('main').append(button)
  })()`)
  const { cut } = await page.evaluate<Looked>(`(${tooLong})()`)
  assert.ok(
    cut.some((each) => each.includes('Donaudampf')),
    cut.join(),
  )
  await page.context().close()
})

interface Looked {
  looked: number
  cut: string[]
}

/** Once nothing more appears. */
async function settled(page: Page): Promise<Looked> {
  const look = () => page.evaluate<Looked>(`(${tooLong})()`)
  let before = await look()
  for (let tries = 0, same = 0; tries < 100 && same < 4; tries++) {
    await page.waitForTimeout(100)
    const now = await look()
    same = now.looked === before.looked ? same + 1 : 0
    before = now
  }
  return before
}

/** Runs in the page. Titles of chats and paths are cut on purpose: they are not our words. */
const tooLong = `() => {
  const shown = [...document.querySelectorAll('button, [role="tab"], [role="menuitem"], nav a, a.button, summary, label, th')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((each) => !each.closest('[data-row], .visually-hidden, pre') && each.textContent.trim() !== '')
  const scrolls = (each) => {
    for (let at = each.parentElement; at; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at !== document.documentElement) return true
    return false
  }
  const cut = []
  for (const each of shown) {
    const box = each.getBoundingClientRect()
    if (box.width <= 1 || box.height <= 1 || getComputedStyle(each).display === 'inline') continue
    const words = each.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60)
    if (each.scrollWidth > each.clientWidth + 1) cut.push(words + ': ' + each.scrollWidth + ' in ' + each.clientWidth)
    else if (each.scrollHeight > each.clientHeight + 4 && getComputedStyle(each).overflowY !== 'visible')
      cut.push(words + ': wraps out of its box')
    else if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(each)) cut.push(words + ': off the screen')
  }
  if (document.documentElement.scrollWidth > innerWidth + 1)
    cut.push('the page is ' + document.documentElement.scrollWidth + ' wide')
  return { looked: shown.length, cut }
}`
