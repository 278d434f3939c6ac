import type { LanguageModel } from 'ai'
import type { Provider } from './providers.ts'

/**
 * The model as an object: a mere name would be looked up at somebody else's gateway. Only the code
 * of the provider that is asked is loaded.
 */
export async function languageModel(
  { id, kind, url: baseURL, key, api }: Provider,
  model: string,
  ollama?: { root: string; context: number },
): Promise<LanguageModel> {
  const apiKey = key ?? 'none'
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL, apiKey })(model)
    }
    case 'gemini': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL, apiKey })(model)
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openai = createOpenAI({ baseURL, apiKey })
      return (api ?? apiFor(baseURL, model)) === 'responses' ? openai.responses(model) : openai.chat(model)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const fetch = ollama && (await import('./ollama-fetch.ts')).ollamaFetch(ollama.root, ollama.context)
      return createOpenAICompatible({
        name: id,
        baseURL,
        apiKey: key,
        includeUsage: true,
        fetch,
        supportsStructuredOutputs: true,
      }).chatModel(model)
    }
  }
}

/** At OpenAI itself, models that think want the newer API; whoever imitates OpenAI has the older one. */
export function apiFor(url: string, model: string): 'chat' | 'responses' {
  const isOpenAi = URL.parse(url)?.hostname === 'api.openai.com'
  return isOpenAi && !/^(?:gpt-[34]|chatgpt-4)/.test(model) ? 'responses' : 'chat'
}

/** Our wishes to each provider: nothing is kept there, and what is sent again is read from a cache. */
export const PROVIDER_OPTIONS = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  openai: { store: false },
} as const
