import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { type Process, spawned } from '../../../test/real/process.ts'
import { type CodeServer, chromiumPath } from './install.ts'
import { environmentOf, type Place } from './place.ts'

/** A VS Code that runs: its server, and the browser it is shown in. */
export interface Host {
  page: Page
  /** Opens the workspace, with the test extension in it. */
  open(testExtension: string): Promise<void>
  /** Errors on the console that are not known to be VS Code's own. */
  errors(): string[]
  keepLogs(folder: string): void
}

/** Run at the end, last one first, whatever happens. */
export type AtEnd = (() => Promise<unknown>)[]

const SERVER_LIMIT_MS = 180_000
const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** What VS Code logs but for extensions, an error with its own files in the stack, and one of a file that code-server lacks. */
const KNOWN_ERRORS = [
  /^error %c +ERR color: \S+ (?!\[Extension Host\])/,
  /\/static\/out\/vs\//,
  /node_modules\/code-server\//,
  /\/vsda\//,
]
const OURS = 'recollect.recollect-vscode'

/** As a person does with "Install from VSIX". */
export async function installVsix(
  editor: CodeServer,
  vsix: string,
  place: Place,
  atEnd: AtEnd,
): Promise<void> {
  const installing = started(editor, place, {}, ['--install-extension', vsix, '--force'])
  atEnd.push(() => installing.end())
  const code = await installing.ended(SERVER_LIMIT_MS)
  if (code !== 0) throw new Error(`code-server did not install ${vsix}: ${installing.output()}`)
}

export async function startHost(
  editor: CodeServer,
  place: Place,
  env: Record<string, string>,
  atEnd: AtEnd,
): Promise<Host> {
  const port = await freePort()
  const server = started(editor, place, env, [
    ...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
    ...['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'],
    ...(hasDriverOption(editor) ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    place.workspace,
  ])
  atEnd.push(() => server.end())
  await answers(`http://127.0.0.1:${port}/healthz`, server)
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: BROWSER_ARGS,
    handleSIGINT: false,
    handleSIGTERM: false,
  })
  atEnd.push(() => browser.close())
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  if (!hasDriverOption(editor)) await page.addInitScript(turnDriverOn)
  const lines = consoleOf(page)
  return {
    page,
    async open(testExtension) {
      await page.goto(urlOf(port, place, testExtension))
    },
    errors: () =>
      lines.filter(
        (line) =>
          line.startsWith('error') &&
          (line.includes(OURS) || !KNOWN_ERRORS.some((pattern) => pattern.test(line))),
      ),
    keepLogs(folder) {
      fs.writeFileSync(path.join(folder, 'console.log'), lines.join('\n'))
      fs.writeFileSync(path.join(folder, 'server.log'), server.output())
    },
  }
}

function started(
  { node, entry }: CodeServer,
  place: Place,
  env: Record<string, string>,
  args: string[],
): Process {
  const config = path.join(place.folder, 'code-server.yaml')
  fs.writeFileSync(config, 'auth: none\ncert: false\n')
  const own = ['--config', config, '--extensions-dir', place.extensions]
  return spawned(node, [entry, ...own, ...args], {
    cwd: place.workspace,
    env: { ...environmentOf(place), ...env },
  })
}

/** Without its smoke test driver a built VS Code takes no extension from a folder. Old versions cannot be told on the command line. */
function hasDriverOption({ version }: CodeServer): boolean {
  return Number(version.split('.')[1]) >= 133
}

/** In the page, before VS Code reads its settings from it. */
function turnDriverOn(): void {
  const watching = new MutationObserver(() => {
    const element = document.getElementById('vscode-workbench-web-configuration')
    const settings = element?.getAttribute('data-settings')
    if (!element || !settings) return
    watching.disconnect()
    const { developmentOptions, ...rest } = JSON.parse(settings)
    const changed = { ...rest, developmentOptions: { ...developmentOptions, enableSmokeTestDriver: true } }
    element.setAttribute('data-settings', JSON.stringify(changed))
  })
  watching.observe(document, { childList: true, subtree: true })
}

/**
 * The test extension is loaded as one under development, but VS Code is not told that it brings
 * tests: then it would show no dialogs.
 */
function urlOf(port: number, place: Place, testExtension: string): string {
  const payload = [
    ['extensionDevelopmentPath', `vscode-remote://127.0.0.1:${port}${testExtension}`],
    ['enableProposedApi', ''],
    ['skipWelcome', 'true'],
  ]
  const query = new URLSearchParams({ folder: place.workspace, payload: JSON.stringify(payload) })
  return `http://127.0.0.1:${port}/?${query}`
}

/** Everything that the window, its webviews and the extension host write to the console. */
function consoleOf(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    const where = message.text().startsWith('Failed to load resource') ? ` ${message.location().url}` : ''
    lines.push(`${message.type()} ${message.text()}${where}`)
  })
  page.on('pageerror', (error) => lines.push(`error ${error.stack ?? error.message}`))
  return lines
}

async function answers(url: string, server: Process): Promise<void> {
  const deadline = Date.now() + SERVER_LIMIT_MS
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    if (Date.now() > deadline) throw new Error(`code-server did not start: ${server.output()}`)
    await sleep(100)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
