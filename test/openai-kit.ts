import fs from 'node:fs'
import path from 'node:path'
import type { Alex } from './mcp-kit.ts'

/** Each wire format as one provider of the same server: how its model is named. */
export const ALL_APIS = {
  anthropic: 'anthropic/claude-sonnet-4-6',
  'openai chat': 'older/gpt-4.1',
  'openai responses': 'openai/gpt-4.1',
  gemini: 'gemini/gemini-3.7-flash',
  'openai-compatible': 'local/tiny',
} as const

/** Sets up all of them with one scripted model behind. */
export function allProviders(alex: Alex, url: string, agent: object = {}): { env: Record<string, string> } {
  fs.mkdirSync(alex.archive, { recursive: true, mode: 0o700 })
  const providers = {
    openai: { api: 'responses' },
    older: { kind: 'openai', url: `${url}/v1`, api: 'chat', model: 'gpt-4.1', apiKeyEnv: 'OPENAI_API_KEY' },
    local: { url: `${url}/v1`, model: 'tiny' },
  }
  const config = { agent: { provider: 'anthropic', providers, ...agent } }
  fs.writeFileSync(path.join(alex.archive, 'config.json'), JSON.stringify(config))
  return {
    env: {
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: url,
      OPENAI_API_KEY: 'test-key',
      OPENAI_BASE_URL: `${url}/v1`,
      GEMINI_API_KEY: 'test-key',
      GEMINI_BASE_URL: url,
    },
  }
}
