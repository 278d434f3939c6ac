import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { copy, openPath } from './browse/clipboard.ts'
import { openInBrowser } from './open-link.ts'

const LINK = 'http://127.0.0.1:3939/#key=a&b=%PATH%'
const skip = process.platform === 'win32' && 'its programs are made up here, as scripts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-programs-'))
after(() => fs.rmSync(folder, { recursive: true }))

/** A program that notes what it was given: its arguments, a line each, and its input. */
function program(...parts: string[]): string {
  const file = path.join(folder, ...parts)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const note = `printf '%s\\n' "$@" > "$0.part"; /bin/cat > "$0.input"; /bin/mv "$0.part" "$0.args"`
  fs.writeFileSync(file, `#!/bin/sh\n${note}\n`, { mode: 0o755 })
  return file
}

async function given(file: string): Promise<string> {
  const patience = Date.now() + 120_000
  while (!fs.existsSync(`${file}.args`)) {
    assert.ok(Date.now() < patience, `${file} was not started`)
    await sleep(20)
  }
  const text = fs.readFileSync(`${file}.args`, 'utf8')
  fs.rmSync(`${file}.args`)
  return text
}

const onTerminal = { stdout: { isTTY: true } }
const systems = {
  linux: { platform: 'linux', env: { PATH: path.join(folder, 'linux'), DISPLAY: ':0' } },
  darwin: { platform: 'darwin', env: { PATH: path.join(folder, 'darwin') } },
  // Nothing is looked for by its bare name: it could be in the folder that the person works in.
  win32: { platform: 'win32', env: { PATH: '', SystemRoot: path.join(folder, 'Windows') } },
} as const

test('the link is given to the program of each system that opens it, as one word', { skip }, async () => {
  const programs = [
    [systems.linux, program('linux', 'xdg-open'), `${LINK}\n`],
    [systems.darwin, program('darwin', 'open'), `${LINK}\n`],
    [systems.win32, program('Windows', 'System32', 'rundll32.exe'), `url.dll,FileProtocolHandler\n${LINK}\n`],
  ] as const
  for (const [system, file, args] of programs) {
    assert.ok(openInBrowser(LINK, { ...system, ...onTerminal }))
    assert.equal(await given(file), args)
  }
})

test('where nobody would see it, no browser is started', () => {
  const { linux, darwin } = systems
  assert.ok(!openInBrowser(LINK, { ...darwin, stdout: { isTTY: false } }))
  assert.ok(!openInBrowser(LINK, { ...darwin, env: { ...darwin.env, SSH_CONNECTION: 'x' }, ...onTerminal }))
  assert.ok(!openInBrowser(LINK, { ...linux, env: { PATH: linux.env.PATH }, ...onTerminal }))
})

test('a browser that is not there is no error', { skip }, async () => {
  const missing = { ...systems.win32, env: { SystemRoot: path.join(folder, 'nowhere') }, ...onTerminal }
  assert.ok(openInBrowser(LINK, missing))
  await sleep(50)
})

test('what is copied reaches the clipboard of each system, in its encoding', { skip }, async () => {
  const text = 'naïve – 漢字'
  const programs = [
    [systems.linux, program('linux', 'xclip'), text],
    [systems.darwin, program('darwin', 'pbcopy'), text],
    [systems.win32, program('Windows', 'System32', 'clip.exe'), `\ufeff${text}`],
  ] as const
  for (const [system, file, expected] of programs) {
    const written: string[] = []
    const terminal = { write: (part: string) => written.push(part) > 0 }
    assert.equal(await copy(text, { terminal, osc52: true }, system), 'program')
    assert.ok(written.join('').includes(Buffer.from(text).toString('base64')))
    await given(file)
    const encoding = system.platform === 'win32' ? 'utf16le' : 'utf8'
    assert.equal(fs.readFileSync(`${file}.input`, encoding), expected)
  }
})

test('the terminal is asked to copy only where that is allowed', { skip }, async () => {
  const bare = { platform: 'linux' as const, env: { PATH: path.join(folder, 'nowhere') } }
  const written: string[] = []
  const terminal = { write: (part: string) => written.push(part) > 0 }
  assert.equal(await copy('text', { terminal, osc52: false }, bare), undefined)
  assert.deepEqual(written, [])
  assert.equal(await copy('text', { terminal, osc52: true }, bare), 'terminal')
  assert.deepEqual(written, ['\u001b]52;c;dGV4dA==\u0007'])
  assert.equal(await copy('x'.repeat(100_000), { terminal, osc52: true }, bare), undefined)
})

test('a file is opened by the program of each system', { skip }, async () => {
  const target = path.join(folder, 'a file & more.md')
  const programs = [
    [systems.linux, program('linux', 'xdg-open'), `${target}\n`],
    [systems.darwin, program('darwin', 'open'), `--\n${target}\n`],
    [systems.win32, program('Windows', 'explorer.exe'), `${target}\n`],
  ] as const
  for (const [system, file, args] of programs) {
    assert.ok(await openPath(target, system))
    assert.equal(await given(file), args)
  }
})
