/**
 * How long a person waits for the page: `node bench/page.ts [--messages=300000] [--keep FOLDER]`. A real browser in
 * front of a real `recollect serve`; the sample archive, or a made-up one of that many messages, each
 * with one more chat of 10,000. Times include everything up to what is seen, the time for which the
 * page waits while somebody types among them. `--keep` makes chats and archive once, as `page-…` in that folder.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { longChat, longTurn, writeChat } from '../test/page/chats.ts'
import { type Site, site, until, withSample } from '../test/page/page-kit.ts'
import { writeCorpus } from './corpus.ts'

const LONG_CHAT = 10_000
const WORDS = ['deadlock', 'timeout', 'migration', 'cache', 'retry']
const FAST_WORDS = ['transaction', 'pipeline', 'container', 'handler', 'certificate']
const BETWEEN_LETTERS_MS = 70
const FRAMES = 300
const ROWS = 2_450
const TURNS = 5

/** As the page asks: with its proof. */
const OVERVIEW = `fetch('/api/v1/overview', { headers: { 'x-recollect': localStorage.getItem('recollect.proof') } })
  .then((answer) => answer.json())`

/** When the answer to these words is painted, counted from the key that asked for it. */
const watchAnswer = (words: string) => `
  window.answered = undefined
  addEventListener('keydown', function typed({ timeStamp }) {
    const isShown = () =>
      new URLSearchParams(location.search).get('q') === '${words}' &&
      document.querySelector('.search-list[aria-busy="false"] :is(.search-about, .empty)')
    const look = () => {
      if (!isShown()) return
      watch.disconnect()
      removeEventListener('keydown', typed, { capture: true })
      requestAnimationFrame(() => setTimeout(() => { window.answered = performance.now() - timeStamp }))
    }
    window.watch?.disconnect()
    const watch = window.watch = new MutationObserver(look)
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  }, { capture: true })
`

/** A click as a person makes it, without what a test adds to it. */
const FAST_CLICK = `
  window.openNth = (n) => new Promise((resolve) => {
    const before = performance.now()
    document.querySelectorAll('[data-row]')[n].click()
    const look = () =>
      document.querySelector('.message')
        ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - before)))
        : requestAnimationFrame(look)
    look()
  })
`

const { messages, keep } = parseArgs({
  options: { messages: { type: 'string' }, keep: { type: 'string' } },
}).values
const fill = (home: string) => {
  if (messages) writeCorpus(home, { messages: Number(messages) })
  else withSample(home)
  writeChat(home, 'long-chat', longChat(LONG_CHAT))
  writeChat(home, 'long-turn', longTurn(LONG_CHAT))
}
const kept = keep && path.resolve(keep, `page-${messages ?? 'sample'}`)
if (kept && !fs.existsSync(kept)) fill(path.join(kept, 'home'))
const recollect = await site(
  kept
    ? {
        fill() {},
        env: { HOME: path.join(kept, 'home'), RECOLLECT_HOME: path.join(kept, 'archive') },
      }
    : { fill },
)
try {
  await synced(recollect)
  const rounded: Record<string, number> = {}
  for (const part of [
    firstPage,
    typing,
    nodes,
    (served: Site) => outline(served, 'long-chat', '10,000 messages in many turns'),
    (served: Site) => outline(served, 'long-turn', '10,000 messages in one turn'),
    reading,
    scrolling,
  ])
    for (const [name, figure] of Object.entries(await part(recollect))) {
      rounded[name] = Math.round(figure * 10) / 10
      console.log(`${name}: ${rounded[name]}`)
    }
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}`
  const written = path.join(import.meta.dirname, 'results', 'page.json')
  const known = fs.existsSync(written) ? JSON.parse(fs.readFileSync(written, 'utf8')) : {}
  const results = { ...known.results, [messages ?? 'sample']: rounded }
  fs.writeFileSync(
    written,
    `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2)}\n`,
  )
  console.log(machine)
} finally {
  await recollect.close()
}

/** Until all of it is read, however long that takes. */
async function synced({ open }: Site): Promise<void> {
  const page = await open('/')
  const state = () => page.evaluate<string>(`${OVERVIEW}.then(({ sync }) => sync.state)`)
  while ((await state()) !== 'in step') await sleep(500)
  await page.context().close()
}

/** How much is drawn of a list of thousands, of chats and of results, that was scrolled for so long. */
async function nodes({ open }: Site): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  for (const [name, at] of [
    ['the home page', '/'],
    ['the results', '/?q=the'],
  ]) {
    const page = await open(at)
    await page.locator('[data-row]').first().waitFor()
    const { archive } = await page.evaluate<{ archive: { chats: number } }>(OVERVIEW)
    const loaded = () => page.evaluate<number>(`Number(document.querySelector('[data-count]').dataset.count)`)
    const patience = Date.now() + 60_000
    while ((await loaded()) < Math.min(ROWS, archive.chats) && Date.now() < patience) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await sleep(30)
    }
    figures[`rows of ${name}`] = await loaded()
    figures[`nodes of ${name} with them`] = await page.evaluate<number>(
      `document.querySelectorAll('*').length`,
    )
    await page.context().close()
  }
  return figures
}

async function firstPage({ open }: Site): Promise<Record<string, number>> {
  const times: number[] = []
  const page = await open('/')
  for (let turn = 0; turn < TURNS; turn++) {
    await page.goto('about:blank')
    const before = performance.now()
    await page.goto('/')
    await page.locator('[data-row]').first().waitFor()
    times.push(performance.now() - before)
  }
  await page.context().close()
  return { 'open the page, ms': median(times) }
}

/** From a key to the results of what is typed so far, word for word and letter for letter. */
async function typing({ open }: Site): Promise<Record<string, number>> {
  const page = await open('/')
  await page.locator('[data-row]').first().waitFor()
  const [words, letters, fast]: [number[], number[], number[]] = [[], [], []]
  for (const word of WORDS) {
    for (const [at, letter] of [...word].entries()) {
      await page.evaluate(watchAnswer(word.slice(0, at + 1)))
      await page.keyboard.type(letter)
      await until(page, 'answered !== undefined')
      const took = await page.evaluate<number>('answered')
      ;(at === word.length - 1 ? words : letters).push(took)
    }
    await page.keyboard.press('Escape')
    await until(page, `location.search === ''`)
  }
  for (const word of FAST_WORDS) {
    await page.evaluate(watchAnswer(word))
    await page.keyboard.type(word, { delay: BETWEEN_LETTERS_MS })
    await until(page, 'answered !== undefined')
    fast.push(await page.evaluate<number>('answered'))
    await page.keyboard.press('Escape')
    await until(page, `location.search === ''`)
  }
  await page.context().close()
  return {
    'a letter to results, ms': median(letters),
    'a letter to results, p95 ms': share(letters, 0.95),
    'a whole word to results, ms': median(words),
    'the last letter of a word typed fast to results, ms': median(fast),
    'the last letter of a word typed fast to results, at most ms': Math.max(...fast),
  }
}

async function reading({ open }: Site): Promise<Record<string, number>> {
  const [times, work]: [number[], number[]] = [[], []]
  const page = await open('/')
  await page.locator('[data-row]').first().waitFor()
  await page.evaluate(FAST_CLICK)
  for (let turn = 0; turn < TURNS; turn++) {
    await page
      .locator('[data-row]')
      .nth(turn + 1)
      .waitFor()
    const worked = await workOf(page)
    times.push(await page.evaluate<number>(`openNth(${turn + 1})`))
    work.push(await worked())
    await page.goBack()
  }
  const before = performance.now()
  await page.goto(`/chat/claude-code:long-chat#m${LONG_CHAT / 2}`)
  await page.locator(`[data-index="${LONG_CHAT / 2}"] .message`).waitFor()
  const middle = performance.now() - before
  await page.context().close()
  return {
    'open a chat, ms': median(times),
    'open a chat, CPU ms': median(work),
    'load at the middle of 10,000 messages, ms': middle,
  }
}

async function scrolling({ open }: Site): Promise<Record<string, number>> {
  const page = await open('/chat/claude-code:long-chat')
  await page.locator('.message').first().waitFor()
  const worked = await workOf(page)
  const frames = await framesOf(page, '.messages')
  const work = await worked()
  await page.context().close()
  return {
    'work for a frame while scrolling, CPU ms': work / FRAMES,
    'frame while scrolling, ms': median(frames),
    'frame while scrolling, p95 ms': share(frames, 0.95),
    'frames over 50 ms, %': (100 * frames.filter((ms) => ms > 50).length) / frames.length,
  }
}

/** The table of contents of a long chat: until it is there, scrolled, and its last line followed. */
async function outline({ open }: Site, chat: string, name: string): Promise<Record<string, number>> {
  const page = await open('/')
  await page.locator('[data-row]').first().waitFor()
  const before = performance.now()
  await page.goto(`/chat/claude-code:${chat}`)
  await page.locator('.outline-list li').nth(5).waitFor()
  const opened = performance.now() - before
  const frames = await framesOf(page, '.outline-list')
  const lines = await page.locator('.outline-list li').count()
  await until(
    page,
    `(() => {
      const list = document.querySelector('.outline-list')
      list.scrollTo(0, list.scrollHeight)
      const last = list.querySelector('li:last-child')
      return last.getAttribute('aria-posinset') === last.getAttribute('aria-setsize')
    })()`,
  )
  const from = performance.now()
  await page.locator('.outline-list li:last-child .outline-item').click()
  await page.locator(`[data-message="${LONG_CHAT - 1}"] .message`).waitFor()
  const followed = performance.now() - from
  await page.context().close()
  return {
    [`contents of ${name}, ms`]: opened,
    [`contents of ${name}, lines drawn`]: lines,
    [`contents of ${name}, frame while scrolling, p95 ms`]: share(frames, 0.95),
    [`contents of ${name}, to the last message, ms`]: followed,
  }
}

/** A steady scroll of 7,200 pixels a second: how long each frame took. */
async function framesOf(page: Page, scroller: string): Promise<number[]> {
  return await page.evaluate<number[]>(`new Promise((resolve) => {
    const list = document.querySelector('${scroller}')
    const frames = []
    let before = performance.now()
    requestAnimationFrame(function next(now) {
      frames.push(now - before)
      before = now
      list.scrollBy(0, 120)
      if (frames.length < ${FRAMES}) requestAnimationFrame(next)
      else resolve(frames.slice(1))
    })
  })`)
}

/** How long the page's main thread really worked, whatever else the machine does meanwhile. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const before = await seconds()
  return async () => ((await seconds()) - before) * 1000
}

function median(times: number[]): number {
  return share(times, 0.5)
}

function share(times: number[], part: number): number {
  return (
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  )
}
