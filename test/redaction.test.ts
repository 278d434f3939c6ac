import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { redact, redactJson } from '../src/platform/redact.ts'
import { FORMS } from '../src/platform/secrets/forms.ts'
import { corpus, jsonCases, leaks } from './redaction-corpus.ts'
import { moreCorpus } from './redaction-more.ts'
import { HARMLESS, thirdCorpus } from './redaction-third.ts'

const lines = await corpus()

/** In percent, of the corpus of secrets. */
const LEAST = { form: 98, named: 97, structure: 95, prose: 90 }

for (const [group, least] of Object.entries(LEAST)) {
  test(`of secrets known by ${group}, at least ${least} % are taken out`, () => {
    const all = lines.filter((line) => line.group === group)
    const missed = all.filter(({ text, secret }) => secret && leaks(text.slice(...secret), redact(text)))
    assert.ok(all.length > 100)
    assert.ok(
      (100 * (all.length - missed.length)) / all.length >= least,
      missed.map(({ text }) => text).join('\n'),
    )
  })
}

for (const [group, least] of Object.entries({ form: 98, named: 97, place: 95, prose: 90 })) {
  test(`of a second corpus after makers' documentation, at least ${least} % are taken out: ${group}`, () => {
    const all = moreCorpus().filter((line) => line.group === group)
    const missed = all.filter(({ text, secret }) => leaks(secret, redact(text)))
    assert.ok(all.length > 100)
    assert.ok(
      (100 * (all.length - missed.length)) / all.length >= least,
      missed.map(({ text }) => text).join('\n'),
    )
  })
}

for (const [group, least] of Object.entries({ form: 98, named: 97, place: 95, prose: 90 })) {
  test(`of a third set, written without a look at the rules, at least ${least} % are taken out: ${group}`, () => {
    const all = thirdCorpus().filter((line) => line.group === group)
    const missed = all.filter(({ text, secret }) => leaks(secret, redact(text)))
    assert.ok(all.length > 60)
    assert.ok(
      (100 * (all.length - missed.length)) / all.length >= least,
      missed.map(({ text }) => text).join('\n'),
    )
  })
}

test('what only looks like a secret is left alone', () => {
  const written = readFileSync(new URL('fixtures/redaction/harmless.txt', import.meta.url), 'utf8').split(
    '\n',
  )
  const changed = [...HARMLESS.map((make) => make()), ...written].filter((text) => redact(text) !== text)
  assert.deepEqual(changed, [])
})

test('at most 0.5 % of what holds no secret is changed', () => {
  const harmless = lines.filter(({ secret }) => !secret)
  const alarms = harmless.filter(({ text }) => redact(text) !== text)
  assert.ok(harmless.length > 1_000)
  assert.ok(alarms.length / harmless.length <= 0.005, alarms.map(({ text }) => text).join('\n'))
})

test('secrets in JSON as tools write it are taken out, and nothing else', async () => {
  const wrong = (await jsonCases()).filter(({ value, secret }) => {
    const output = JSON.stringify(redactJson(value))
    return secret ? leaks(secret, output) : output !== JSON.stringify(value)
  })
  assert.deepEqual(wrong, [])
})

test('the beginning of a key alone is no key', () => {
  const alarms = FORMS.map(({ literal }) => `They all begin with ${literal} or so.`).filter(
    (text) => redact(text) !== text,
  )
  assert.deepEqual(alarms, [])
})

test('no repeated text makes it hang', () => {
  const units = JSON.parse(
    readFileSync(new URL('fixtures/redaction/worst.json', import.meta.url), 'utf8'),
  ) as string[]
  // With a cost that grows with the square, one of these takes minutes.
  for (const unit of [...units, ...FORMS.map(({ literal }) => literal)]) {
    redact(unit.repeat(Math.ceil(60_000 / unit.length)))
  }
})
