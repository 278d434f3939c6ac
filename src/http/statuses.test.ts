import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { RecollectError } from '../model/errors.ts'
import { failureOf } from './errors.ts'
import { hasStatus, statusOf } from './statuses.ts'

const src = path.join(import.meta.dirname, '..')
/** What these throw never reaches HTTP: they read files, start servers or print. */
const ELSEWHERE = /^(cli|sources)\//
const OF_STARTING = new Set(['NOT_SECURE', 'PORT_UNAVAILABLE'])

test('every code that can be answered has a status', () => {
  const found = new Set<string>()
  for (const name of fs.readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    const file = name.replaceAll('\\', '/')
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || ELSEWHERE.test(file)) continue
    const text = fs.readFileSync(path.join(src, name), 'utf8')
    for (const [, code = ''] of text.matchAll(
      /(?:RecollectError|refused|fileFailure)\(\s*(?:error,\s*)?'([A-Z]+(?:_[A-Z]+)+)'/g,
    ))
      found.add(code)
  }
  assert.ok(found.size > 30, `${found.size}`)
  assert.deepEqual(
    [...found].filter((code) => !hasStatus(code) && !OF_STARTING.has(code)),
    [],
  )
})

test('a status comes from the code, whatever the text says', () => {
  const cases: [code: string, text: string, status: number][] = [
    ['WRITE_ERROR', 'Session not found: x', 500],
    ['SESSION_NOT_FOUND', 'Service temporarily unavailable', 404],
    ['FORBIDDEN', 'No active dialog found', 403],
    ['ARCHIVE_BUSY', 'Index must be 1 or greater', 503],
    ['NEVER_HEARD_OF', 'Session not found: x', 500],
  ]
  for (const [code, text, status] of cases) {
    assert.equal(statusOf(code), status)
    assert.equal(failureOf(new RecollectError(code, text), undefined).status, status)
  }
})
