import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { LANGUAGES } from '../scripts/lexicon/languages.ts'
import { BUDGET, KEPT } from '../src/archive/backups.ts'
import { LEASE_MS } from '../src/archive/sqlite/lease.ts'
import { clients } from '../src/cli/setup/clients.ts'
import { knownClient } from '../src/mcp/clients.ts'
import { MAX_TEXT } from '../src/model/limits.ts'
import { MOST_MESSAGES, MOST_TEXT } from '../src/recall/reader.ts'
import { BRIEF_CHARS } from '../src/search/brief.ts'
import { MOST_BYTES } from '../src/server/listen.ts'
import { MAX_DOCUMENT_BYTES, MAX_LINE_BYTES } from '../src/sources/lines.ts'
import { root } from './run-cli.ts'

const NUMBERS = ['', '', '', '', '', '', '', 'seven', 'eight', 'nine', 'ten']
const thousands = (n: number) => n.toLocaleString('en')
const taken = (client: string) => thousands(knownClient(client).maxChars)

/** What the docs say in numbers, each from the constant that makes it so. */
const SAID: [file: string, words: string][] = [
  ['README.md', `English, Russian, Chinese, German and ${NUMBERS[LANGUAGES.length - 3]} more languages`],
  ['docs/mcp.md', `and [${clients.length - 10} more](clients/README.md)`],
  ['docs/mcp.md', `A body may have ${MOST_BYTES >> 20} MB`],
  ['docs/mcp.md', `at most ${thousands(BRIEF_CHARS)} characters`],
  ['docs/mcp.md', `${taken('codex')} characters for Codex and unknown ones, ${taken('copilot')} for`],
  ['docs/mcp.md', `${taken('claude-code')} for Claude Code and Gemini CLI`],
  [
    'docs/rest.md',
    `messages, at most ${MOST_MESSAGES}; a text over ${thousands(MOST_TEXT)} characters is cut`,
  ],
  [
    'docs/reliability.md',
    `the last ${['', '', '', 'three'][KEPT]} of each are kept, together in at most ${BUDGET / 2 ** 30} GB`,
  ],
  ['ARCHITECTURE.md', `else within ${['', '', '', '', '', 'five'][LEASE_MS / 1_000]} seconds`],
  [
    'ARCHITECTURE.md',
    `a line of ${MAX_LINE_BYTES >> 20} MB, a JSON document of ${MAX_DOCUMENT_BYTES >> 20} MB`,
  ],
  ['ARCHITECTURE.md', `a text of ${MAX_TEXT >> 20} million characters`],
]

test('numbers in the docs are those of the code', () => {
  const folded = (text: string) => text.replace(/\s+/g, ' ')
  const missing = SAID.filter(
    ([file, words]) => !folded(fs.readFileSync(path.join(root, file), 'utf8')).includes(words),
  )
  assert.deepEqual(missing, [])
})

function codeIn(folder: string): { file: string; text: string }[] {
  return fs
    .globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
    .filter((file) => !/\.test\.tsx?$|\/test-[^/]*$|(?:kit|fixture-homes|generated)/.test(file))
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }))
}

test('no source opens a database but by the one way that only reads, or writes to a file but in a temp folder', () => {
  const sources = codeIn('src/sources')
  assert.deepEqual(
    sources.filter(({ text }) => /new DatabaseSync\(/.test(text)).map(({ file }) => file),
    ['src/sources/foreign-db.ts'],
  )
  const writing =
    /\bfs\.(?:promises\.)?(?:write|append|create|copy|rename|rm|unlink|mkdir|truncate|chmod|symlink|link)\w*\(/
  for (const { file, text } of sources.filter((each) => writing.test(each.text)))
    assert.match(text, /mkdtemp|os\.tmpdir\(\)|spool/i, `${file} writes, and not to a temp folder`)
})

test('nothing goes to the network but what the owner set up: models, meaning, a hub, servers of the agent', () => {
  const asks = /\bfetch\(|from 'node:(?:https?|http2|net|tls|dgram|dns)'|from 'pg'/
  assert.deepEqual(
    ['src', 'vscode/src', 'web/src'].flatMap((folder) =>
      codeIn(folder).flatMap(({ file, text }) => (asks.test(text) ? [file] : [])),
    ),
    [
      'src/agent/local-models.ts',
      'src/agent/models.ts',
      'src/agent/oauth.ts',
      'src/agent/ollama-fetch.ts',
      'src/agent/telemetry.ts',
      // What comes in.
      'src/http/app.ts',
      'src/hub/database.ts',
      'src/mcp/endpoint.ts',
      'src/search/embeddings.ts',
      'src/server/listen.ts',
      'web/src/lib/api.ts',
    ],
  )
})
