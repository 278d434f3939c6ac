import fs from 'node:fs'
import path from 'node:path'
import OpenAI from 'openai'
import { type Site, site } from './http-kit.ts'
import type { Alex } from './mcp-kit.ts'
import { type Script, type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'

export interface Spoken {
  model: ScriptedModel
  served: Site
  openai: OpenAI
  close(): Promise<void>
}

/** A server whose agent asks a scripted model, and OpenAI's client for it. */
export async function spokenTo(alex: Alex, scripts: Script[]): Promise<Spoken> {
  const model = await startScriptedModel(scripts)
  const { env } = allProviders(alex, model.url)
  const served = await site(alex, { env }).catch(async (error) => {
    await model.close()
    throw error
  })
  const openai = new OpenAI({ apiKey: served.token, baseURL: `${served.url.origin}/v1`, maxRetries: 0 })
  const close = async () => {
    await served.close()
    await model.close()
  }
  return { model, served, openai, close }
}

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
