import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { configFile, readConfig } from './config.ts'
import { redact } from './redact.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-config-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

const reading = (embeddings: unknown) => {
  fs.writeFileSync(configFile(folder), JSON.stringify({ embeddings }))
  return readConfig(folder).embeddings
}

test('embeddings: off without any, Ollama and OpenAI by their addresses', () => {
  assert.equal(reading(undefined), undefined)
  for (const url of [
    'http://127.0.0.1:11434/api/embed',
    'https://api.openai.com/v1/embeddings',
    'http://localhost:1234/v1/embeddings/',
    'https://x.openai.azure.com/openai/deployments/small/embeddings?api-version=2024-10-21',
  ])
    assert.equal(reading({ url, model: 'm' })?.url, url)
})

const good = { url: 'http://127.0.0.1:11434/api/embed', model: 'm' }
const BAD: [what: string, given: unknown, told: RegExp][] = [
  ['no url', { model: 'm' }, /embeddings\.url/],
  ['no model', { url: good.url }, /embeddings\.model/],
  ['an empty model', { ...good, model: '' }, /embeddings\.model/],
  ['no address', { ...good, url: 'localhost' }, /embeddings\.url/],
  ['a file', { ...good, url: 'file:///v1/embeddings' }, /embeddings\.url/],
  ['the root of a server', { ...good, url: 'http://127.0.0.1:11434' }, /must end in \/api\/embed/],
  ["Ollama's older address", { ...good, url: 'http://h/api/embeddings' }, /must end in \/api\/embed/],
  ['a key itself', { ...good, apiKeyEnv: 'sk-12345' }, /is the name of an environment variable, not the key/],
  ['an unknown setting', { ...good, apiKey: 'x' }, /apiKey/],
  ['no whole number', { ...good, dimensions: 2.5 }, /embeddings\.dimensions/],
  ['no object', 'http://127.0.0.1', /embeddings/],
]
for (const [what, given, told] of BAD) {
  test(`embeddings: ${what} is an error that says where`, () => {
    assert.throws(() => reading(given), { code: 'INVALID_CONFIG', message: told })
  })
}

test('keys in variables that the settings name are masked wherever they occur', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-config-'))
  const [one, two] = ['kept9in+a/variable88', 'another7/in+the/box66']
  process.env.RECOLLECT_TEST_BOX = one
  process.env.RECOLLECT_TEST_CASE = two
  try {
    const providers = { mine: { url: 'http://127.0.0.1:1/v1', apiKeyEnv: 'RECOLLECT_TEST_BOX' } }
    const embeddings = {
      url: 'http://127.0.0.1:1/v1/embeddings',
      model: 'm',
      apiKeyEnv: 'RECOLLECT_TEST_CASE',
    }
    fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ agent: { providers }, embeddings }))
    readConfig(folder)
    assert.equal(redact(`${one} ${two}`), '[redacted: own key] [redacted: own key]')
  } finally {
    delete process.env.RECOLLECT_TEST_BOX
    delete process.env.RECOLLECT_TEST_CASE
    fs.rmSync(folder, { recursive: true })
  }
})
