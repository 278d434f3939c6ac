/**
 * How long a person waits for the page: `node bench/page.ts [--messages=300000]`. A real browser in
 * front of a real `recollect serve`; the sample archive, or a made-up one of that many messages, each
 * with one more chat of 10,000. Times include everything up to what is seen, the 30 ms for which the
 * page waits while somebody types among them.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { longChat, writeChat } from '../test/page/chats.ts'
import { type Site, site, until, withSample } from '../test/page/page-kit.ts'
import { writeCorpus } from './corpus.ts'

const LONG_CHAT = 10_000
const WORDS = ['deadlock', 'timeout', 'migration', 'cache', 'retry']
const FRAMES = 300
const TURNS = 5

/** The next answer to a search, counted from the key that asked for it, and painted. */
const WATCH_ANSWER = `
  window.answered = undefined
  addEventListener('keydown', ({ timeStamp }) => {
    const watch = new PerformanceObserver((list) => {
      if (!list.getEntries().some(({ name }) => name.includes('search_conversations'))) return
      watch.disconnect()
      requestAnimationFrame(() => setTimeout(() => { window.answered = performance.now() - timeStamp }))
    })
    watch.observe({ type: 'resource' })
  }, { once: true, capture: true })
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

const { messages } = parseArgs({ options: { messages: { type: 'string' } } }).values
const recollect = await site({
  fill(home) {
    if (messages) writeCorpus(home, { messages: Number(messages) })
    else withSample(home)
    writeChat(home, 'long-chat', longChat(LONG_CHAT))
  },
})
try {
  await synced(recollect)
  const figures = {
    ...(await firstPage(recollect)),
    ...(await typing(recollect)),
    ...(await reading(recollect)),
    ...(await scrolling(recollect)),
  }
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([name, n]) => [name, Math.round(n * 10) / 10]),
  )
  console.table(rounded)
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
  const state = () =>
    page.evaluate<string>(
      `fetch('/api/v1/overview').then((answer) => answer.json()).then(({ sync }) => sync?.state)`,
    )
  while ((await state()) !== 'in step') await sleep(500)
  await page.context().close()
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
  const [words, letters]: [number[], number[]] = [[], []]
  for (const word of WORDS) {
    for (const [at, letter] of [...word].entries()) {
      const typed = word.slice(0, at + 1)
      await page.evaluate(WATCH_ANSWER)
      await page.keyboard.type(letter)
      // One letter is too little for the beginning of a word: there may be nothing to show.
      await until(page, `answered !== undefined && location.search.endsWith('q=${typed}')`)
      const took = await page.evaluate<number>('answered')
      ;(at === word.length - 1 ? words : letters).push(took)
    }
    await page.keyboard.press('Escape')
    await until(page, `location.search === ''`)
  }
  await page.context().close()
  return {
    'a letter to results, ms': median(letters),
    'a letter to results, p95 ms': share(letters, 0.95),
    'a whole word to results, ms': median(words),
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

/** A steady scroll of 7,200 pixels a second through new messages: how long each frame took. */
async function scrolling({ open }: Site): Promise<Record<string, number>> {
  const page = await open('/chat/claude-code:long-chat')
  await page.locator('.message').first().waitFor()
  const worked = await workOf(page)
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const list = document.querySelector('.messages')
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
  const work = await worked()
  await page.context().close()
  return {
    'work for a frame while scrolling, CPU ms': work / FRAMES,
    'frame while scrolling, ms': median(frames),
    'frame while scrolling, p95 ms': share(frames, 0.95),
    'frames over 50 ms, %': (100 * frames.filter((ms) => ms > 50).length) / frames.length,
  }
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
