import { generateText, type LanguageModel } from 'ai'
import type { Usage } from '../model/chat.ts'
import { usageOf } from './step.ts'
import type { Sampling } from './tool.ts'

/** More than this no server gets for one question. */
const MOST_TOKENS = 4_096

/** The model's answer to what an MCP server wants to know from it: without tools, and without the dialog. */
export async function sampled(
  model: LanguageModel,
  { system, messages, maxTokens, temperature }: Sampling,
  signal: AbortSignal,
): Promise<{ text: string; model: string; usage: Usage }> {
  const { text, response, usage } = await generateText({
    model,
    instructions: system,
    messages: messages.map(({ role, text: content }) => ({ role, content })),
    maxOutputTokens: Math.min(maxTokens, MOST_TOKENS),
    temperature,
    abortSignal: signal,
  })
  return { text, model: response.modelId, usage: usageOf(usage) }
}
