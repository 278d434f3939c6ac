/**
 * Brings what a real VS Code needs to run here without a screen: code-server from npm, and Chromium
 * to open it with. `node vscode/test/host/install.ts` does only that.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A code-server that is ready to start. Version 4.x.y holds VS Code 1.x.y. */
export interface CodeServer {
  version: string
  /** The Node.js it was made for. */
  node: string
  /** Its start-up file. */
  entry: string
}

export const NEWEST = '4.139.1'
/** The oldest VS Code that the extension says it runs in. */
export const OLDEST = '4.104.0'

const ATTEMPTS = 3
/** Node.js itself, without the script of the package `node` that would fetch it. */
const OWN_NODE = `node-${process.platform}-${process.arch}`

/** Installs it first where it is not there yet. */
export async function codeServer(version: string): Promise<CodeServer> {
  const folder = cacheFolder(version)
  if (!fs.existsSync(folder)) await installInto(folder, version)
  const modules = path.join(folder, 'node_modules')
  const ownNode = path.join(modules, OWN_NODE, 'bin', 'node')
  return {
    version,
    node: fs.existsSync(ownNode) ? ownNode : process.execPath,
    entry: path.join(modules, 'code-server', 'out', 'node', 'entry.js'),
  }
}

async function installInto(folder: string, version: string): Promise<void> {
  console.log(`code-server ${version}: installing into ${folder} (once, about a minute, 620 MB)`)
  // It gets its name when it is complete, so that what an interrupted run left is never taken for it.
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  const partial = fs.mkdtempSync(`${folder}.partial-`)
  try {
    await install(partial, version)
    fs.renameSync(partial, folder)
  } catch (error) {
    // Another run may have been faster.
    if (!fs.existsSync(folder)) throw error
  } finally {
    fs.rmSync(partial, { recursive: true, force: true })
  }
}

/** The browser; the error says how to get one. */
export function chromiumPath(): string {
  const candidates = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  const found = candidates.find((each) => each && fs.existsSync(each))
  if (found) return found
  throw new Error(
    'Chromium is missing. Install it with\n' +
      '  apt-get install -y --no-install-recommends chromium fonts-dejavu-core\n' +
      'or name another one: CHROMIUM=/path/to/chrome npm run test:vscode',
  )
}

/**
 * In three folders, each with its own package.json, and with no package's scripts: so nothing is
 * compiled. What then lacks its native part (log files, Kerberos) is not needed here.
 */
async function install(folder: string, version: string): Promise<void> {
  const vscode = path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode')
  const isOld = version === OLDEST
  write(
    path.join(folder, 'package.json'),
    isOld ? { ...MANIFEST, overrides: { argon2: '0.44.0' } } : MANIFEST,
  )
  await npm(folder, ['install', `code-server@${version}`, '--ignore-scripts'])
  if (isOld) {
    await npm(folder, ['install', `${OWN_NODE}@22`])
    withoutGit(vscode)
  }
  await npm(vscode, ['install', '--omit=dev', '--ignore-scripts'])
  await npm(path.join(vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts'])
}

const MANIFEST = { private: true, allowScripts: { node: true } }

/** Old versions take their file watcher from a Git repository; the published one does as well. */
function withoutGit(vscode: string): void {
  const file = path.join(vscode, 'package.json')
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  manifest.dependencies['@parcel/watcher'] = '2.5.1'
  write(file, manifest)
  fs.rmSync(path.join(vscode, 'npm-shrinkwrap.json'), { force: true })
}

function write(file: string, value: object): void {
  fs.writeFileSync(file, JSON.stringify(value))
}

async function npm(cwd: string, args: string[]): Promise<void> {
  const all = [
    ...args,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=5',
    '--loglevel=error',
  ]
  for (let attempt = 1; ; attempt++) {
    const { code, output } = await ran('npm', all, cwd)
    if (code === 0) return
    if (attempt === ATTEMPTS) throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${output}`)
    console.log(`npm ${args.join(' ')} failed, attempt ${attempt} of ${ATTEMPTS}; again in ${attempt * 3} s`)
    await sleep(attempt * 3_000)
  }
}

function ran(command: string, args: string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

function cacheFolder(version: string): string {
  const { RECOLLECT_VSCODE_CACHE, XDG_CACHE_HOME } = process.env
  const caches =
    process.platform === 'darwin'
      ? path.join(os.homedir(), 'Library', 'Caches')
      : XDG_CACHE_HOME || path.join(os.homedir(), '.cache')
  const folder = RECOLLECT_VSCODE_CACHE || path.join(caches, 'recollect-test')
  return path.resolve(folder, `code-server-${version}`)
}

if (import.meta.main) console.log(`${(await codeServer(NEWEST)).entry}\n${chromiumPath()}`)
