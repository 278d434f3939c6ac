import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Format, isTable, Malformed, type Value, valueAt } from './format.ts'
import { json, jsonc } from './json.ts'
import {
  type Random,
  random,
  randomJsonc,
  randomToml,
  randomTomlList,
  randomYaml,
} from './random-documents.ts'
import { difference, type SetupRecord, sha256, undone } from './record.ts'
import { toml } from './toml.ts'
import { tomlList } from './toml-list.ts'
import { yaml } from './yaml.ts'

const ENTRY = {
  command: 'C:\\Program Files\\nodejs\\node.exe',
  args: ['/home/zoë/it\'s "here"/recollect', 'mcp'],
  env: { RECOLLECT_HOME: '/a b' },
  enabled: true,
  timeout: 300,
} satisfies Value

const DOCUMENTS = 150

const FORMATS: [string, Format, string, (r: Random, list: string) => string][] = [
  ['JSON with comments', jsonc, 'mcpServers', randomJsonc],
  ['TOML', toml, 'mcp_servers', randomToml],
  ['TOML with a list of tables', tomlList('mcp_servers'), 'mcp_servers', randomTomlList],
  ['YAML', yaml, 'extensions', randomYaml],
]

for (const [name, format, list, made] of FORMATS) {
  const at = [list, 'recollect']

  test(`${name}: an entry put into any document changes nothing else, and is undone to the byte`, () => {
    for (let seed = 1; seed <= DOCUMENTS; seed++) {
      const before = made(random(seed), list)
      const after = format.put(before, at, ENTRY)
      const why = `seed ${seed}:\n${before}\n=>\n${after}`
      assert.deepEqual(plain(valueAt(format.read(after), at)), ENTRY, why)
      assert.deepEqual(rest(format, after, list), rest(format, before, list), why)
      const record = { ...difference(before, after), sha256: sha256(after) } as SetupRecord
      assert.equal(undone(after, record), before, why)
    }
  })

  test(`${name}: an entry is taken out of any document without a record, and all else is as it was`, () => {
    for (let seed = 1; seed <= DOCUMENTS; seed++) {
      const before = made(random(seed), list)
      const after = format.put(before, at, ENTRY)
      const taken = format.take(after, at)
      assert.deepEqual(rest(format, taken, list), rest(format, before, list), `seed ${seed}:\n${after}`)
      assert.equal(valueAt(format.read(taken), at), undefined)
    }
  })

  test(`${name}: every character of a document stays, comments and all, in its order`, () => {
    for (let seed = 1; seed <= DOCUMENTS; seed++) {
      const before = made(random(seed), list)
      const left = format.put(before, at, ENTRY)
      let found = -1
      for (const char of essence(before, list)) {
        found = left.indexOf(char, found + 1)
        assert.notEqual(found, -1, `seed ${seed}:\n${before}\n=>\n${left}`)
      }
    }
  })

  test(`${name}: keys of an entry are put, replaced and taken one by one`, () => {
    for (let seed = 1; seed <= DOCUMENTS; seed++) {
      const before = format.put(made(random(seed), list), at, ENTRY)
      let text = format.put(before, [...at, 'args'], ['x', 'mcp', '--tools', 'search'])
      text = format.put(text, [...at, 'env', 'RECOLLECT_HOME'], '/elsewhere')
      text = format.put(text, [...at, 'added'], 'new')
      text = format.take(text, [...at, 'timeout'])
      assert.deepEqual(
        plain(valueAt(format.read(text), at)),
        {
          command: ENTRY.command,
          args: ['x', 'mcp', '--tools', 'search'],
          env: { RECOLLECT_HOME: '/elsewhere' },
          enabled: true,
          added: 'new',
        },
        `seed ${seed}:\n${text}`,
      )
      assert.deepEqual(rest(format, text, list), rest(format, before, list))
    }
  })
}

test('comments stay with what they are about', () => {
  const before = '{\n  "servers": {\n    "a": {} // about a\n    // about nothing\n  }\n}\n'
  assert.equal(
    jsonc.put(before, ['servers', 'b'], 1),
    '{\n  "servers": {\n    "a": {}, // about a\n    "b": 1\n    // about nothing\n  }\n}\n',
  )
  assert.equal(
    yaml.put('a:\n  b: 1 # one\n    # more of b\n# top\n', ['a', 'c'], 2),
    'a:\n  b: 1 # one\n    # more of b\n  c: 2\n# top\n',
  )
})

test('a table of TOML may be written in other ways', () => {
  const at = ['mcp_servers', 'recollect']
  const inline =
    '[mcp_servers]\nrecollect = { command = "old", args = [] } # mine\nother = { command = "x" }\n'
  const put = toml.put(inline, [...at, 'command'], 'new')
  assert.equal(
    put,
    '[mcp_servers]\nrecollect = { command = "new", args = [] } # mine\nother = { command = "x" }\n',
  )
  assert.equal(toml.take(put, at), '[mcp_servers]\nother = { command = "x" }\n')
  const parts = `[mcp_servers.recollect] # ours
command = "old"
# why
[mcp_servers.recollect.env]
A = "1"

[other]
x = 1

[mcp_servers.recollect.tools.search]
approval_mode = "approve"
`
  assert.equal(toml.take(parts, at), '[other]\nx = 1\n')
  assert.match(toml.put(parts, [...at, 'env', 'B'], '2'), /env\]\nA = "1"\nB = "2"\n\n\[other\]/)
  assert.throws(() => toml.put('mcp_servers = { a = { command = "x" } }\n', at, ENTRY), /one inline value/)
})

test('what cannot be read is refused with its line and column', () => {
  const cases: [Format, string, number, number][] = [
    [jsonc, '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    [jsonc, '{\n  "a": [1, 2', 2, 13],
    [json, '{\n  "a": 1, // no\n}', 2, 11],
    [json, '{\n  "a": 1,\n}', 3, 1],
    [toml, 'a = 1\nb = = 2\n', 2, 5],
    [yaml, 'a: 1\nb: [1, 2\nc: 3\n', 3, 1],
  ]
  for (const [format, text, line, column] of cases) {
    assert.throws(
      () => format.read(text),
      (error) => error instanceof Malformed && error.line === line && error.column === column,
      text,
    )
  }
})

test('hostile files are refused, not followed', () => {
  const deep = '['.repeat(20_000)
  for (const format of [jsonc, toml, yaml])
    assert.throws(() => format.read(format === toml ? `a = ${deep}` : deep), Malformed)
  const polluted = jsonc.read('{"__proto__": {"x": 1}, "mcpServers": {}}')
  assert.equal(Object.hasOwn(polluted as object, '__proto__'), true)
  assert.equal(valueAt(polluted, ['mcpServers', 'constructor']), undefined)
})

/** All but the entry, and the list where nothing else is in it. */
function rest(format: Format, text: string, list: string): unknown {
  const document = format.read(text)
  assert.ok(isTable(document))
  const servers = document[list]
  if (isTable(servers)) delete servers.recollect
  if (!servers || Object.keys(servers).length === 0) delete document[list]
  return document
}

/** Without layout, and without the brackets of an empty list, which YAML can do without and TOML must. */
function essence(text: string, list: string): string {
  return text.replace(`${list}: {}`, `${list}:`).replace(`${list} = []`, '').replace(/\s/g, '')
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
