/**
 * Runs the packed extension in a real VS Code: `npm run test:vscode [-- --only tools,view --keep]`.
 * code-server is VS Code behind a web page; Chromium opens it without a screen, and the tests in
 * inside/ run in its extension host. No network, no account: the model is scripted.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildInside } from './build-inside.ts'
import { handsOf, type Outcome, startBridge } from './hands.ts'
import { type AtEnd, type Host, installVsix, startHost } from './host.ts'
import { type CodeServer, chromiumPath, codeServer, NEWEST, OLDEST } from './install.ts'
import { MOST_CODE, sizeOf } from './package-size.ts'
import { makePlace, type Place } from './place.ts'

const LIMIT_MS = 15 * 60_000
/** In this order: the later ones read the dialogs that the agent's turns left behind. */
const TESTS = ['activation', 'tools', 'agent', 'reader', 'view', 'mcp', 'participant', 'orphans', 'settings']
/** code-server brings no Copilot Chat in its old versions. */
const WITHOUT_COPILOT = ['activation', 'tools', 'settings']
const root = path.join(import.meta.dirname, '..', '..', '..')

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      /** Some of the tests, by the names of their files. */
      only: { type: 'string' },
      /** A packed extension, instead of the one that is built now. */
      vsix: { type: 'string' },
      /** Of code-server: 4.x.y is VS Code 1.x.y. */
      version: { type: 'string', default: NEWEST },
      /** Takes the pictures of the documentation instead. */
      pictures: { type: 'boolean', default: false },
      /** Leaves the folders of the run where they are. */
      keep: { type: 'boolean', default: false },
    },
  })
  chromiumPath()
  const editor = await codeServer(values.version)
  const vsix = values.vsix ? path.resolve(values.vsix) : packed()
  const place = await makePlace()
  const atEnd: AtEnd = []
  const outcomes: Outcome[] = []
  const failed = () => outcomes.filter(({ error }) => error).length
  const skipped = () => outcomes.filter((outcome) => outcome.skipped).length
  const tidyUp = async () => {
    for (const end of atEnd.splice(0).reverse()) await end().catch(() => {})
    if (failed() === 0 && !values.keep)
      fs.rmSync(place.folder, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => tidyUp().finally(() => process.exit(130)))

  const report = (outcome: Outcome) => {
    outcomes.push(outcome)
    print(outcome)
  }
  try {
    report(await smallEnough(vsix))
    const all = values.version === OLDEST ? WITHOUT_COPILOT : TESTS
    const tests = values.pictures ? ['pictures'] : (values.only?.split(',') ?? all)
    const pictures = values.pictures ? path.join(root, 'docs', 'images') : place.folder
    await runIn(place, { editor, vsix, tests, pictures, report, atEnd })
  } catch (error) {
    report({ title: 'VS Code starts', ms: 0, error: error instanceof Error ? error.stack : String(error) })
  } finally {
    await tidyUp()
  }
  if (failed() > 0 || values.keep)
    console.log(`logs, last picture and the folders of this run: ${place.folder}`)
  const rest = skipped() > 0 ? `, ${skipped()} not possible in this version` : ''
  console.log(`${outcomes.length - failed() - skipped()} passed, ${failed()} failed${rest}`)
  return failed() === 0 ? 0 : 1
}

interface Run {
  editor: CodeServer
  vsix: string
  tests: string[]
  pictures: string
  report(outcome: Outcome): void
  atEnd: AtEnd
}

async function runIn(place: Place, { editor, vsix, tests, pictures, report, atEnd }: Run): Promise<void> {
  const inside = path.join(place.folder, 'inside')
  await buildInside(inside)
  await installVsix(editor, vsix, place, atEnd)
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
  const listener = { report, end, note: (words: string) => console.log(`  ${words}`) }
  let host: Host | undefined
  const bridge = await startBridge(() => {
    if (!host) throw new Error('the window is not open yet')
    const steps = path.join(root, 'vscode', 'media', 'walkthrough')
    return handsOf(host.page, listener, { logs: place.folder, pictures, steps })
  })
  atEnd.push(bridge.close)
  const env = { RECOLLECT_TEST_BRIDGE: bridge.url, RECOLLECT_TESTS: tests.join(',') }
  host = await startHost(editor, place, env, atEnd)
  host.page.on('crash', () => fail(new Error('The page crashed.')))
  const timer = setTimeout(
    () => fail(new Error(`Not at the end after ${LIMIT_MS / 60_000} minutes.`)),
    LIMIT_MS,
  )
  try {
    await host.open(inside)
    await ended
  } finally {
    clearTimeout(timer)
    await host.page.screenshot({ path: path.join(place.folder, 'end.png') }).catch(() => {})
    host.keepLogs(place.folder)
  }
  report({ title: 'no error on the console', ms: 0, error: host.errors().join('\n') || undefined })
}

async function smallEnough(vsix: string): Promise<Outcome> {
  const { code, tables, pictures, texts, largest } = await sizeOf(vsix)
  const kb = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`
  console.log(
    `  packed: code ${kb(code)}, tables ${kb(tables)}, pictures ${kb(pictures)}, texts ${kb(texts)}`,
  )
  const named = largest.slice(0, 12).map(([name, bytes]) => `${name}: ${kb(bytes)}`)
  return {
    title: `code, styles and words of the package are within ${kb(MOST_CODE)}`,
    ms: 0,
    error: code <= MOST_CODE ? undefined : `They are ${kb(code)}. The largest:\n${named.join('\n')}`,
  }
}

/** Builds and packs the extension as it is published. */
function packed(): string {
  const script = path.join(root, 'scripts', 'build-vscode.ts')
  execFileSync(process.execPath, [script, '--package'], { cwd: root, stdio: 'inherit' })
  const folder = path.join(root, 'vscode')
  const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, `${name}-${version}.vsix`)
}

function print({ title, ms, error, skipped }: Outcome): void {
  console.log(`${error ? '✖' : skipped ? '-' : '✔'} ${title}${ms > 0 ? ` (${ms} ms)` : ''}`)
  if (!error) return
  const lines = error.split('\n').filter((line) => !line.includes('/static/out/vs/'))
  console.log(lines.map((line) => `    ${line}`).join('\n'))
}
