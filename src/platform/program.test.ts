import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startable, wordsOfCommand } from './program.ts'

/** Windows with these files. */
const windows = (...files: string[]) => ({
  platform: 'win32' as const,
  env: { PATH: 'C:\\tools;C:\\npm', PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' },
  isProgram: (file: string) => files.includes(file),
})

test('a program is started as it is, whatever its arguments', () => {
  const args = ['--resume', 'x&calc']
  const linux = { platform: 'linux' as const, env: {}, isProgram: () => true }
  assert.deepEqual(startable('claude', args, linux), { file: 'claude', args })
  assert.deepEqual(startable('claude', args, windows('C:\\tools\\claude.EXE')), {
    file: 'C:\\tools\\claude.EXE',
    args,
  })
})

test('on Windows a script is run by the command interpreter, and only with plain words', () => {
  const system = windows('C:\\npm\\copilot', 'C:\\npm\\copilot.CMD')
  assert.deepEqual(startable('copilot', ['--resume=one two'], system), {
    file: 'C:\\Windows\\cmd.exe',
    args: ['/d', '/s', '/c', '""C:\\npm\\copilot.CMD" "--resume=one two""'],
    windowsVerbatimArguments: true,
  })
  for (const id of ['x&calc', 'a|b', '%PATH%', 'say "hi"', 'a\nb', '^', '<in', '!x!']) {
    assert.throws(() => startable('copilot', [`--resume=${id}`], system), { code: 'UNSAFE_COMMAND' })
  }
})

test('a command is split as a shell would, without one', () => {
  assert.deepEqual(wordsOfCommand("copilot --resume='x&calc y'"), ['copilot', '--resume=x&calc y'])
  assert.deepEqual(wordsOfCommand('codex resume "a \\"b\\""  c\\ d'), ['codex', 'resume', 'a "b"', 'c d'])
})
