import type { Client, CreateMessageRequest, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { fieldsOf } from './form.ts'
import type { RunningCalls } from './running-calls.ts'
import type { CallContext, Sampling } from './tool.ts'

/**
 * Lets a server ask while one of its tools runs: the person for something it needs to know, the model for an answer.
 * Both only with the person's word; where nobody can be asked, it is told no.
 */
export function answerRequests(client: Client, server: string, calls: RunningCalls): void {
  client.setRequestHandler(
    'elicitation/create',
    async (request, { mcpReq }) =>
      await calls.asking(({ person }) => elicited(request, server, person, mcpReq.signal)),
  )
  client.setRequestHandler(
    'sampling/createMessage',
    async (request, { mcpReq }) =>
      await calls.asking(async ({ person, sample }) => {
        const wish = samplingOf(request)
        const prompt = [wish.system, ...wish.messages.map(({ text }) => text)].filter(Boolean).join('\n\n')
        if (!person || !sample || !(await person.allowSampling({ server, prompt }, mcpReq.signal)))
          throw new Error('The person did not allow the model to be used.')
        const { text, model } = await sample(wish)
        return { role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' }
      }),
  )
}

async function elicited(
  { params }: ElicitRequest,
  server: string,
  person: CallContext['person'],
  signal: AbortSignal,
): Promise<ElicitResult> {
  // Addresses to open are none of ours: only forms are.
  if (!person || !('requestedSchema' in params)) return { action: 'decline' }
  const question = { server, message: params.message, fields: fieldsOf(params.requestedSchema) }
  const content = await person.fill(question, signal)
  if (content === undefined) return { action: 'cancel' }
  return content === 'decline' ? { action: 'decline' } : { action: 'accept', content }
}

function samplingOf({ params }: CreateMessageRequest): Sampling {
  return {
    system: params.systemPrompt,
    messages: params.messages.map(({ role, content }) => ({
      role,
      text: [content]
        .flat()
        .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
        .join('\n'),
    })),
    maxTokens: params.maxTokens,
    temperature: params.temperature,
  }
}
