import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentConfig } from '../platform/config.ts'
import { redact } from '../platform/redact.ts'
import { providerProblem } from './provider-problem.ts'
import { chosenProvider, knownProviders } from './providers.ts'

const config = agentConfig({ sources: {}, homes: [] })
const known = (env: Record<string, string>, providers: typeof config.providers = {}) =>
  knownProviders({ providers }, env)
const chosen = (
  env: Record<string, string>,
  asked: { provider?: string; model?: string } = {},
  set: { provider?: string; model?: string; providers?: typeof config.providers } = {},
) => {
  const { provider, model } = chosenProvider(known(env, set.providers), asked, set)
  return [provider.id, model]
}
const KEYS = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GOOGLE_API_KEY: 'g' }

test('keys and addresses come from the environment', () => {
  const url = (id: string, env: Record<string, string>) => known(env).find((each) => each.id === id)?.url
  assert.equal(url('anthropic', {}), 'https://api.anthropic.com/v1')
  assert.equal(url('anthropic', { ANTHROPIC_BASE_URL: 'http://proxy:1/' }), 'http://proxy:1/v1')
  assert.equal(
    url('anthropic', { ANTHROPIC_BASE_URL: 'http://proxy:1/claude/v1' }),
    'http://proxy:1/claude/v1',
  )
  assert.equal(url('openai', { OPENAI_BASE_URL: 'http://proxy:1/v1/' }), 'http://proxy:1/v1')
  assert.equal(url('ollama', { OLLAMA_HOST: '0.0.0.0' }), 'http://127.0.0.1:11434/v1')
  assert.equal(url('ollama', { OLLAMA_HOST: 'http://box:8080' }), 'http://box:8080/v1')
  const key = (env: Record<string, string>) => known(env).find(({ id }) => id === 'gemini')?.key
  assert.equal(key({ GOOGLE_GENERATIVE_AI_API_KEY: 'x', GOOGLE_API_KEY: 'y' }), 'x')
})

test('who answers: what was asked for, then what is set, then whoever has a key', () => {
  assert.deepEqual(chosen(KEYS), ['anthropic', 'claude-sonnet-5'])
  assert.deepEqual(chosen({ OPENAI_API_KEY: 'o' }), ['openai', 'gpt-5.6-terra'])
  assert.deepEqual(chosen(KEYS, { provider: 'gemini' }), ['gemini', 'gemini-3.7-flash'])
  assert.deepEqual(chosen(KEYS, { model: 'gpt-5-mini' }), ['openai', 'gpt-5-mini'])
  assert.deepEqual(chosen(KEYS, { model: 'ollama/qwen3:8b' }), ['ollama', 'qwen3:8b'])
  assert.deepEqual(chosen(KEYS, {}, { provider: 'openai', model: 'gpt-5' }), ['openai', 'gpt-5'])
  assert.deepEqual(chosen(KEYS, { provider: 'anthropic' }, { provider: 'openai', model: 'gpt-5' }), [
    'anthropic',
    'claude-sonnet-5',
  ])
  const providers = { mine: { url: 'http://127.0.0.1:8000/v1', model: 'tiny' } }
  assert.deepEqual(chosen({}, {}, { providers }), ['mine', 'tiny'])
})

test('what is missing is said', () => {
  assert.throws(() => chosen({}), { code: 'NO_PROVIDER' })
  assert.throws(() => chosen({}, { provider: 'openai' }), { code: 'NO_KEY', hint: /Set OPENAI_API_KEY/ })
  assert.throws(() => chosen(KEYS, { provider: 'nobody' }), { code: 'UNKNOWN_PROVIDER' })
  assert.throws(() => known({}, { mine: {} }), { code: 'INVALID_CONFIG', message: /"mine".*no url/ })
})

test('a key in a variable that the settings name is masked, also where a provider says it back', () => {
  const key = 'plain9letters/of+nobody77'
  const providers = { mine: { url: 'http://127.0.0.1:8000/v1', model: 'tiny', apiKeyEnv: 'MY_BOX' } }
  const mine = known({ MY_BOX: key }, providers).find(({ id }) => id === 'mine')
  const failure = { status: 401, message: `no such key: ${key}`, retryable: false }
  const { message } = providerProblem(mine!, 'tiny', failure, false)
  assert.ok(!message.includes(key), message)
  assert.ok(!redact(`it said ${key} and stopped`).includes(key))
})
