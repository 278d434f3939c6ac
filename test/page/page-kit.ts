import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import readline from 'node:readline'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { buildPage } from '../../scripts/build-page.ts'
import { machine, root } from '../run-cli.ts'

export interface Site {
  /** The made-up home folder that is read. */
  home: string
  /** The folder of its archive. */
  archive: string
  url: string
  /** A new window, signed in, at this address. */
  open(at?: string, options?: WindowOptions): Promise<Page>
  /** This window may complain so, from the beginning: what the browser says may come before or after what it shows. */
  allow(page: Page, complaint: RegExp): void
  /** Ends all of it, and fails if any window complained or asked a foreign server for something. */
  close(): Promise<void>
}

export interface WindowOptions extends BrowserContextOptions {
  language?: string
  /** What the browser will complain about, as it should. */
  complaint?: RegExp
}

/** So long is waited for what comes: tests that fail take longer, on a busy machine the others pass. */
const PATIENCE = 180_000

/** A real `recollect serve` for a machine with these files, and a real browser in front of it. */
export async function site({
  fill = withSample,
  env: more = {},
  readOnly = false,
}: {
  fill?: (home: string) => void
  env?: Record<string, string>
  /** Syncs first, and serves from a read-only mount of the archive. */
  readOnly?: boolean
} = {}): Promise<Site> {
  await buildPage()
  const user = machine()
  fill(user.home)
  const { NODE_COMPILE_CACHE } = process.env
  const env = {
    HOME: user.home,
    USERPROFILE: user.home,
    RECOLLECT_HOME: user.archive,
    TZ: 'UTC',
    // The command keeps what its first thread compiles; its others compile the sources each time without this.
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
  }
  const command = [process.execPath, path.join(root, 'bin', 'recollect'), 'serve', '--no-open', '--port', '0']
  if (readOnly) {
    assert.equal((await user.run(['sync'])).code, 0)
    const mount = `mount --bind "$RECOLLECT_HOME" "$RECOLLECT_HOME" && mount -o remount,ro,bind "$RECOLLECT_HOME" && exec "$@"`
    command.unshift('unshare', '-m', 'bash', '-c', mount, 'bash')
  }
  const server = spawn(command[0]!, command.slice(1), {
    cwd: root,
    env: { PATH: process.env.PATH, ...env, ...more },
  })
  // A test that fails before it can close must not leave a server behind.
  process.once('exit', () => server.kill('SIGKILL'))
  const [link, browser] = await Promise.all([
    linkFrom(server),
    chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    }),
  ])
  const { origin } = new URL(link)
  const complaints: Complaint[] = []
  const allowed: { page: Page; complaint: RegExp }[] = []
  const first = await browser.newContext()
  first.setDefaultTimeout(PATIENCE)
  await (await first.newPage()).goto(link)
  const storageState = await first.storageState()
  await first.close()
  return {
    home: user.home,
    archive: user.archive,
    url: origin,
    async open(at = '/', { language = 'en', complaint, ...options } = {}) {
      const context = await browser.newContext({
        baseURL: origin,
        viewport: { width: 1280, height: 800 },
        locale: language,
        timezoneId: 'UTC',
        storageState,
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      })
      context.setDefaultTimeout(PATIENCE)
      const page = await context.newPage()
      if (complaint) allowed.push({ page, complaint })
      listenTo(page, origin, complaints)
      await page.goto(at)
      return page
    },
    allow(page, complaint) {
      allowed.push({ page, complaint })
    },
    async close() {
      await end(browser, server)
      user.remove()
      const isAllowed = ({ page, text }: Complaint) =>
        allowed.some((each) => each.page === page && each.complaint.test(text))
      const unexpected = complaints.filter((each) => !isAllowed(each)).map(({ text }) => text)
      assert.deepEqual(unexpected, [], 'the page complained')
    },
  }
}

/** The same, once the sample has been read. */
export async function sampleSite(): Promise<Site> {
  const recollect = await site()
  try {
    const page = await recollect.open()
    await page.getByText('13 chats, 141 messages', { exact: true }).waitFor()
    await page.context().close()
    return recollect
  } catch (error) {
    // A browser that is left open would keep the test's process from its end.
    await recollect.close()
    throw error
  }
}

/** The made-up chats that come with the package. */
export function withSample(home: string): void {
  fs.cpSync(path.join(root, 'sample'), home, { recursive: true })
}

/** How many a search found, in the page's own words: the side says how many there are in all, which may be the same number. */
export function found(page: Page, count: string): Locator {
  return page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: whole(count) })
}

/** Chooses something from a menu of filters, which stays open for more, and closes it. */
export async function choose(page: Page, menu: string, ...values: string[]): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${menu}(: .*)?$`) }).click()
  const list = page.getByRole('menu', { name: menu, exact: true })
  for (const value of values)
    await list.getByRole('menuitemcheckbox', { name: new RegExp(`^${value} `) }).click()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
}

/** How many there are in all, beside the page. */
export function archived(page: Page, count: string): Locator {
  return page.locator('.sync-count', { hasText: whole(count) })
}

/** Breaches of WCAG A and AA, each with the first place where it is. */
export async function breaches(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  // What is fading in or out has too little contrast for a moment.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    .map(({ finished }) => finished))`)
  return await page.evaluate(`axe
    .run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    })
    .then(({ violations }) => violations.map(({ id, nodes: [node] }) =>
      [id, node.html, node.failureSummary].join(': ')))`)
}

/** Waits until something holds in the page. `page.waitForFunction` would evaluate text there, which the page forbids. */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + PATIENCE
  while (!(await page.evaluate(expression))) {
    if (Date.now() > deadline) assert.fail(`never came true: ${expression}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** How much moved that nobody asked to move: 0 is nothing, 0.1 is what browsers call bad. */
export async function shifts(page: Page): Promise<number> {
  return await page.evaluate(`new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) sum += shift.value
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 100)
  })`)
}

/** Kept where somebody asks for pictures, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.RECOLLECT_PICTURES
  if (!folder) return
  fs.mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
}

function whole(text: string): RegExp {
  return new RegExp(`^${text}$`)
}

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Complaint {
  page: Page
  text: string
}

function listenTo(page: Page, origin: string, complaints: Complaint[]): void {
  const complain = (text: string) => complaints.push({ page, text })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complain(message.text())
  })
  page.on('pageerror', (error) => complain(error.stack ?? error.message))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      complain(`${request.method()} ${request.url()}`)
  })
}

function linkFrom(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (data) => {
      said += data
    })
    server.once('exit', (code) => reject(new Error(`recollect serve ended with ${code}: ${said}`)))
    readline.createInterface({ input: server.stdout! }).on('line', (line) => {
      const link = /http:\S+\/open\?code=\S+/.exec(line)?.[0]
      if (link) resolve(link)
    })
  })
}

async function end(browser: Browser, server: ChildProcess): Promise<void> {
  await browser.close()
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  const patience = setTimeout(() => server.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(patience)
}
