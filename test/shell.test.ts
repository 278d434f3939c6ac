import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { machine, recollect, root } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

/** A machine with the sample chats, synced, and `recollect` in its path. */
const alex = machine()
const folder = path.dirname(alex.home)
const bin = path.join(folder, 'bin')

before(async () => {
  fs.cpSync(path.join(root, 'sample'), alex.home, { recursive: true })
  fs.mkdirSync(bin)
  fs.symlinkSync(recollect, path.join(bin, 'recollect'))
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(alex.remove)

const SHELLS = {
  bash: ['bash', '--noprofile', '--norc', '-i'],
  zsh: ['zsh', '-f', '-i'],
  fish: ['fish', '--no-config', '-i'],
} as const

function shell(t: TestContext, name: keyof typeof SHELLS): Terminal {
  const terminal = new Terminal([...SHELLS[name]], {
    columns: 110,
    rows: 30,
    cwd: alex.home,
    folder,
    env: {
      PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      HOME: alex.home,
      RECOLLECT_HOME: alex.archive,
      PS1: 'ready> ',
      TZ: 'UTC',
    },
  })
  t.after(() => terminal.close())
  return terminal
}

function missing(name: string): string | false {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return noTerminal() ?? false
  } catch {
    return `${name} is not installed`
  }
}

const LOAD = {
  bash: 'source <(recollect completion bash)',
  zsh: 'autoload -Uz compinit; compinit -u; source <(recollect completion zsh)',
  fish: 'recollect completion fish | source',
}
const BIND = {
  bash: 'eval "$(recollect init bash)"',
  zsh: 'eval "$(recollect init zsh)"',
  fish: 'recollect init fish | source',
}

for (const name of ['bash', 'zsh', 'fish'] as const) {
  test(`${name} completes commands, names and ids from the archive`, { skip: missing(name) }, async (t) => {
    const terminal = shell(t, name)
    terminal.type(`${LOAD[name]}; echo load''ed\r`)
    await terminal.shows(/^loaded/m)
    terminal.type('recollect eviden\t')
    await terminal.shows(/recollect evidence /)
    terminal.type('--source claude\t')
    await terminal.shows(/--source claude-code /)
    terminal.type('37e4\t')
    await terminal.shows(/37e4c293-58a1-4f76-9b34-345ad57a5f03/)
    // What the ids are stands beside them.
    terminal.type('\u0015recollect show \t\t')
    await terminal.shows(/Memory leak in the tile export/)
  })

  test(`${name} puts what is picked on the line, and does not run it`, { skip: missing(name) }, async (t) => {
    const terminal = shell(t, name)
    terminal.type(`${BIND[name]}; echo bo''und\r`)
    await terminal.shows(/^bound/m)
    terminal.type('deadlock\u0012')
    await terminal.shows(/❯ deadlock[\s\S]*you: .*deadlock/)
    assert.ok(terminal.isAlternate)
    terminal.type('\u0015touch')
    await terminal.shows(/❯ touch/)
    terminal.type('\u0015psql')
    await terminal.shows(/❯ psql[\s\S]*▌ \$ .*psql/)
    terminal.type('\r')
    // It is the last on the screen: nothing was run.
    const line = /psql [\s\S]*order by 2 desc"\s*$/
    await terminal.shows((text) => !terminal.isAlternate && line.test(text), 'the command on the line')
    // Who leaves it keeps what was typed.
    terminal.type('\u0015echo kept\u0012')
    await terminal.shows(/❯ echo kept/)
    terminal.type('\u001b')
    await terminal.shows((text) => !terminal.isAlternate && /echo kept/.test(text), 'what was typed')
  })
}

test('completion answers from the archive, and makes none', async () => {
  const asked = async (...words: string[]) => {
    const { out, err, code } = await alex.run(['__complete', ...words])
    assert.deepEqual([code, err], [0, ''])
    return out.split('\n').filter(Boolean)
  }
  assert.deepEqual(await asked('list', '--workspace', 'cou'), ['courier\t/home/alex/courier'])
  assert.deepEqual(await asked('search', '--source', 'v'), ['vscode\t4 chats'])
  // As PowerShell asks, which leaves out an empty word.
  assert.equal((await asked('--empty', 'gather')).length, 12)
  const nobody = machine()
  after(nobody.remove)
  const { code, out } = await nobody.run(['__complete', 'show', ''])
  assert.deepEqual([code, out], [0, ''])
  assert.ok(!fs.existsSync(nobody.archive), 'no archive is made for it')
})

test('a wrong shell or key, and no terminal, say what to do', async () => {
  const wrong = await alex.run(['completion', 'tcsh'])
  assert.match(wrong.err, /"tcsh".*bash, zsh, fish, powershell/)
  assert.equal(wrong.code, 2)
  assert.equal((await alex.run(['init', 'zsh', '--key', 'f1'])).code, 2)
  assert.match((await alex.run(['init', 'zsh', '--key', 'alt-r'])).out, /bindkey -M emacs '\^\[r'/)
  const pipe = await alex.run(['pick', 'deadlock'])
  assert.match(pipe.err, /needs a terminal[\s\S]*recollect search/)
  assert.equal(pipe.code, 3)
})

test('the manual page names every command, and man reads it', async (t) => {
  const { out } = await alex.run(['__man'])
  const help = (await alex.run(['--help'])).out
  const [list = ''] = help.slice(help.indexOf('\nCommands:\n') + 1).split('\n\n')
  for (const [, name] of list.matchAll(/^ {2}([a-z][a-z-]*)/gm))
    if (name !== 'help') assert.match(out, new RegExp(`^\\.SS ${name!.replaceAll('-', '\\\\-')}\\b`, 'm'))
  if (missing('groff')) return t.skip('groff is not installed')
  const page = path.join(folder, 'recollect.1')
  fs.writeFileSync(page, out)
  const read = execFileSync('groff', ['-man', '-Tascii', '-ww', page], { encoding: 'utf8', stdio: 'pipe' })
  assert.match(read.replace(/.\u0008|\u001b\[\d+m/g, ''), /EXIT STATUS[\s\S]*nothing\s+found/)
})

const FULL = '/dev/full'
const noFull = !fs.existsSync(FULL) && `there is no ${FULL} here`
test('what cannot be written where it was sent to is an error with a next step', { skip: noFull }, () => {
  const stdout = fs.openSync(FULL, 'w')
  const { status, stderr } = spawnSync(process.execPath, [recollect, 'list'], {
    env: { PATH: process.env.PATH, HOME: alex.home, RECOLLECT_HOME: alex.archive },
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  })
  fs.closeSync(stdout)
  assert.equal(status, 3)
  assert.match(stderr, /^error: ENOSPC.*\nFree some space and try again; nothing was lost\.\n$/)
})
