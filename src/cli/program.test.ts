import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { program } from './program.ts'

const folder = path.join(import.meta.dirname, 'add')
/** Options that several commands share. */
const SHARED = ['agent-options', 'narrowing-options', 'serve-options']

test('each command is added by the file of its name, and the file names nothing else', () => {
  const names = program().commands.map((each) => each.name())
  const files = fs.readdirSync(folder).map((file) => path.basename(file, '.ts'))
  assert.deepEqual(files.filter((file) => !SHARED.includes(file)).toSorted(), names.toSorted())
})

test("no command's code is loaded before it is called", () => {
  for (const file of fs.readdirSync(folder)) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    const loaded = [...text.matchAll(/^import (?!type)[^\n]* from '([^']+)'/gm)].map(([, from]) => from)
    for (const from of loaded)
      assert.match(from!, /^(?:commander|\.\.\/command\.ts|\.\/\w+-options\.ts)$/, file)
  }
})

test('each says what it does, and those that answer print JSON where it is asked for', () => {
  /** They talk to a person or a program, by the screen or a protocol, or print a script. */
  const talking = new Set(['browse', 'start', 'chat', 'mcp', 'completion', 'init', 'pick'])
  const all = program().commands.flatMap((each) => (each.commands.length > 0 ? each.commands : [each]))
  for (const command of all) {
    assert.match(command.description(), /^\S.{8,}/, command.name())
    const hasJson = command.options.some(({ long }) => long === '--json')
    assert.equal(hasJson || talking.has(command.name()), true, `${command.name()} --json`)
  }
})
