/**
 * The pictures of the page in docs/images, from the sample archive:
 *
 *   node test/page/pictures.ts
 *
 * It needs Chromium and pngquant. With a folder, every view goes there instead: light and dark, wide and narrow, in three languages, and a sheet
 * of each view for people to look at.
 *
 *   node test/page/pictures.ts /tmp/pictures [views …]
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { startScriptedModel } from '../real/scripted-model.ts'
import { root } from '../run-cli.ts'
import { archived, type Site, site, withSample } from './page-kit.ts'

const DEADLOCK = 'claude-code:b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
const REFUND = 'copilot-cli:11d22106-a816-4cce-886d-1987be44d879'
const COMPARE = `/compare?chat=${DEADLOCK}&chat=${REFUND}`
/** What README shows, at the size in which it shows it. */
const SHOWN: Record<string, string> = {
  search: '/?q=deadlock',
  reader: `/chat/${DEADLOCK}?q=deadlock`,
  dashboard: '/dashboard?measure=tokens',
  compare: COMPARE,
  ask: '/ask',
}
const MOST_BYTES = 150_000
/** What the model behind Ask says: scripted, so that the picture is the same each time. */
const QUESTION = 'Which deadlocks did we have in the shop, and how did I fix them?'
const ANSWER = `Twice, and for the same reason: two transactions took the same locks in opposite order.

1. **Checkout and the stock import** (June 2): \`reserve\` now locks the stock rows in id order, and \`checkout()\` retries
   up to three times (context://sessions/${DEADLOCK.split(':')[1]}#m10).
2. **The refund worker** (June 4): there it was two tables, locked in one order since
   (context://sessions/${REFUND.split(':')[1]}#m4).`

const VIEWS: Record<string, string> = {
  home: '/',
  search: '/?q=deadlock&fuzzy=1',
  nothing: '/?q=zzzyqqx',
  unanswerable: '/?q=-deadlock',
  reader: `/chat/${DEADLOCK}?q=deadlock`,
  missing: '/chat/codex:nothing',
  compare: `${COMPARE}&q=deadlock`,
  evidence: '/evidence?q=deadlock',
  dashboard: '/dashboard?measure=tokens&term=deadlock',
  assistants: '/sources',
  problems: '/sources?tab=problems',
  settings: '/sources?tab=settings',
  models: '/sources?tab=models',
  access: '/sources?tab=access',
  hub: '/sources?tab=hub',
  privacy: '/sources?tab=privacy',
  context: '/context?workspace=/home/alex/shop',
  ask: '/ask',
  'signed-out': '/',
}
const LOOKS = [
  { language: 'en', colorScheme: 'light', width: 1440 },
  { language: 'ru', colorScheme: 'dark', width: 1440 },
  { language: 'zh', colorScheme: 'light', width: 1440 },
  { language: 'en', colorScheme: 'dark', width: 390 },
  { language: 'ru', colorScheme: 'light', width: 390 },
  { language: 'zh', colorScheme: 'dark', width: 390 },
] as const

const [folder, ...wanted] = process.argv.slice(2)
const model = await startScriptedModel([
  {
    when: 'deadlocks',
    turns: [
      { calls: [{ tool: 'search_conversations', args: { query: 'deadlock shop' } }] },
      { calls: [{ tool: 'gather_chats', args: { chatIds: [DEADLOCK, REFUND] } }] },
      { text: ANSWER },
    ],
  },
])
const recollect = await site({
  fill: folder ? withProblems : withSample,
  env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url },
})
try {
  const page = await recollect.open()
  await archived(page, folder ? '14 chats' : '13 chats').waitFor()
  await page.context().close()
  if (folder) await look(recollect, folder, wanted.length > 0 ? wanted : Object.keys(VIEWS))
  else await show(recollect)
} finally {
  await model.close()
  await recollect.close()
}

async function show({ open }: Site): Promise<void> {
  for (const [name, at] of Object.entries(SHOWN)) {
    const page = await open(at, { viewport: { width: 1200, height: 750 } })
    await settled(page)
    if (name === 'ask') await ask(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await settled(page)
      const file = path.join(root, 'docs', 'images', `page-${name}-${colorScheme}.png`)
      // To 256 colours, which is a third of the bytes.
      const input = await page.screenshot()
      const small = execFileSync('pngquant', ['--strip', '--speed', '1', '256', '-'], { input })
      if (small.length > MOST_BYTES) throw new Error(`${file} would have ${small.length} bytes`)
      fs.writeFileSync(file, small)
      console.log(`${path.relative(root, file)}: ${small.length} bytes`)
    }
    await page.context().close()
  }
}

async function look(served: Site, into: string, names: string[]): Promise<void> {
  fs.mkdirSync(into, { recursive: true })
  for (const name of names) {
    const files: string[] = []
    for (const { language, colorScheme, width } of LOOKS) {
      const height = width === 390 ? 1600 : 1300
      const options = { language, colorScheme, viewport: { width, height } }
      const file = path.join(into, `${name}-${language}-${colorScheme}-${width}.png`)
      // What is not there, and who is not let in, makes the browser complain.
      const page = await served.open(VIEWS[name], {
        ...options,
        complaint: /status of 40[014]/,
        ...(name === 'signed-out' && { storageState: { cookies: [], origins: [] } }),
      })
      await settled(page)
      await page.screenshot({ path: file })
      await page.context().close()
      files.push(file)
    }
    await sheet(files, path.join(into, `sheet-${name}.png`))
    console.log(path.join(into, `sheet-${name}.png`))
  }
}

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox').last().fill(QUESTION)
  await page.keyboard.press('Enter')
  await page.getByText('locked in one order since').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await settled(page)
}

/** Until nothing is on its way, and nothing moves. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.locator('main, h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(600)
}

/** Several pictures beside each other in one. */
async function sheet(files: string[], into: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 2010, height: 1400 } })
    const images = files.map((file, i) => {
      const size = i < 3 ? 'width: 660px' : 'width: 330px; margin-right: 330px'
      return `<img style="${size}; margin: 2px; vertical-align: top" src="${pathToFileURL(file)}">`
    })
    const html = `${into}.html`
    fs.writeFileSync(html, `<body style="margin: 0; background: #888">${images.join('')}`)
    await page.goto(String(pathToFileURL(html)))
    await page.screenshot({ path: into, fullPage: true })
    fs.rmSync(html)
  } finally {
    await browser.close()
  }
}

/** With a chat that fails and records that cannot be read. */
function withProblems(home: string): void {
  withSample(home)
  const projects = path.join(home, '.claude', 'projects', '-home-alex-shop')
  fs.mkdirSync(projects, { recursive: true })
  const id = '7d1f3a52-0000-4000-8000-00000000000b'
  const line = (fields: object) =>
    JSON.stringify({
      sessionId: id,
      cwd: '/home/alex/shop',
      timestamp: '2026-10-01T10:00:00.000Z',
      ...fields,
    })
  const lines = [
    line({ type: 'user', uuid: 'p1', message: { role: 'user', content: 'Run the build, please.' } }),
    line({
      type: 'assistant',
      uuid: 'p2',
      message: {
        id: 'm2',
        role: 'assistant',
        model: 'claude-opus-4-6',
        content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm run build' } }],
      },
    }),
    line({
      type: 'user',
      uuid: 'p3',
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            is_error: true,
            content: `${'src/stock.ts(12,7): error TS2322: Type “string” is not assignable.\n'.repeat(400)}`,
          },
        ],
      },
    }),
    '{"type":"user","uuid":"p4","message":{"role":"user","content":"half a line',
  ]
  fs.writeFileSync(path.join(projects, `${id}.jsonl`), `${lines.join('\n')}\n`)
}
