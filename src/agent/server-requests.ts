import type { Client, CreateMessageRequest, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { type Json, object, objects, string } from '../sources/json.ts'
import type { CallContext, Sampling, ServerQuestion } from './tool.ts'

/**
 * Lets a server ask while one of its tools runs: the person for something it needs to know, the model for an answer.
 * Both only with the person's word; where nobody can be asked, it is told no. `running` is the call that it is about.
 */
export function answerRequests(client: Client, server: string, running: () => CallContext | undefined): void {
  client.setRequestHandler(
    'elicitation/create',
    async (request) => await elicited(request, server, running()?.person),
  )
  client.setRequestHandler('sampling/createMessage', async (request) => {
    const { person, sample } = running() ?? {}
    const wish = samplingOf(request)
    const prompt = [wish.system, ...wish.messages.map(({ text }) => text)].filter(Boolean).join('\n\n')
    if (!person || !sample || !(await person.allowSampling({ server, prompt })))
      throw new Error('The person did not allow the model to be used.')
    const { text, model } = await sample(wish)
    return { role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' }
  })
}

async function elicited(
  { params }: ElicitRequest,
  server: string,
  person: CallContext['person'],
): Promise<ElicitResult> {
  // Addresses to open are none of ours: only forms are.
  if (!person || !('requestedSchema' in params)) return { action: 'decline' }
  const question = { server, message: params.message, fields: fieldsOf(params.requestedSchema) }
  const content = await person.fill(question)
  if (content === undefined) return { action: 'cancel' }
  return content === 'decline' ? { action: 'decline' } : { action: 'accept', content }
}

function fieldsOf(schema: unknown): ServerQuestion['fields'] {
  const { properties, required } = object(schema) ?? {}
  const needed = Array.isArray(required) ? required : []
  return Object.entries(object(properties) ?? {}).flatMap(([name, value]) => {
    const field = object(value)
    const type = string(field?.type)
    if (!field || !isPlain(type)) return []
    const standard = field.default
    return [
      {
        name,
        title: string(field.title) ?? name,
        description: string(field.description),
        type,
        required: needed.includes(name),
        ...choicesIn(field),
        ...(isValue(standard) && { default: standard }),
      },
    ]
  })
}

function isPlain(type: string | undefined): type is ServerQuestion['fields'][number]['type'] {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean'
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function choicesIn({ enum: listed, oneOf }: Json): { choices?: string[] } {
  const named = objects(oneOf).flatMap((each) => string(each.const) ?? [])
  const choices = Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : named
  return choices.length > 0 ? { choices } : {}
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
