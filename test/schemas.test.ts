import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { allCapabilities, capabilities } from '../src/capabilities/index.ts'
import { allRoutes } from '../src/http/routes.ts'

/** Fields of answers that nobody can say more of, each with the reason. */
const OPEN: Record<string, string> = {
  'read_chat.messages[].toolCalls[].args': 'what a tool of somebody else was given',
  'read_chat.messages[].toolResults[].json': 'what a tool of somebody else gave back',
  'gather_chats.messages[].tools.calls[].args': 'what a tool of somebody else was given',
  'gather_chats.messages[].tools.results[].json': 'what a tool of somebody else gave back',
  'gather_chats.narrative[].tools.calls[].args': 'what a tool of somebody else was given',
  'gather_chats.narrative[].tools.results[].json': 'what a tool of somebody else gave back',
  'search_conversations.guidance.nextActions[].args{}': 'the arguments of whichever tool is proposed',
  'GET /api/v1/chats/{chat}/messages.messages[].toolCalls[].args': 'what a tool of somebody else was given',
  'GET /api/v1/chats/{chat}/messages.messages[].toolResults[].json': 'what a tool of somebody else gave back',
  'GET /api/v1/chats/{chat}/messages/{index}.message.toolCalls[].args':
    'what a tool of somebody else was given',
  'GET /api/v1/chats/{chat}/messages/{index}.message.toolResults[].json':
    'what a tool of somebody else gave back',
  'POST /api/v1/chat.approvals[].args': 'what the model wants to give to a tool of somebody else',
  'POST /api/v1/chat/{sessionId}/resume.approvals[].args':
    'what the model wants to give to a tool of somebody else',
  'GET /api/v1/approvals.approvals[].args': 'what the model wants to give to a tool of somebody else',
  'POST /api/v1/approvals/{id}.args': 'what the model wants to give to a tool of somebody else',
  'GET /api/v1/sessions/{sessionId}.messages[].toolCalls[].args': 'what a tool of somebody else was given',
  'GET /api/v2/mcp/tools.tools[].inputSchema': 'a JSON schema, by whoever wrote the tool',
  'POST /api/v1/chat.calls[].args': 'what the model wants to give to a tool of the client',
  'POST /api/v1/chat/{sessionId}/resume.calls[].args': 'what the model wants to give to a tool of the client',
  'GET /v1/responses/{id}.metadata{}': 'given back as the client gave it',
  'GET /v1/responses/{id}.tool_choice': 'given back as the client gave it',
  'GET /v1/responses/{id}.tools[]': 'given back as the client gave them',
  'GET /v1/responses/{id}.output[].content[].annotations[]': 'always empty: the API has the field',
  'GET /v1/responses/{id}.output[].content[].logprobs[]': 'always empty: the API has the field',
  'POST /v1/responses.metadata{}': 'given back as the client gave it',
  'POST /v1/responses.tool_choice': 'given back as the client gave it',
  'POST /v1/responses.tools[]': 'given back as the client gave them',
  'POST /v1/responses.output[].content[].annotations[]': 'always empty: the API has the field',
  'POST /v1/responses.output[].content[].logprobs[]': 'always empty: the API has the field',
  'GET /openapi.json{}': 'the document, as OpenAPI has it',
}

type Schema = z.core.JSONSchema.BaseSchema

/** Where a schema says nothing of what is there. */
function* openIn(schema: Schema | boolean | undefined, at: string): Generator<string> {
  if (schema === undefined || schema === false) return
  if (schema === true) {
    yield at
    return
  }
  const { oneOf, anyOf = oneOf, properties, items, prefixItems, additionalProperties, type } = schema
  const isSaid = anyOf || type || schema.enum || schema.const !== undefined
  if (!isSaid) yield at
  for (const each of anyOf ?? []) yield* openIn(each, at)
  for (const [name, each] of Object.entries(properties ?? {})) yield* openIn(each, `${at}.${name}`)
  if (type === 'array' && !items && !prefixItems) yield `${at}[]`
  if (items && !Array.isArray(items)) yield* openIn(items as Schema, `${at}[]`)
  if (type === 'object' && !properties && additionalProperties === undefined) yield `${at}{}`
  yield* openIn(additionalProperties as Schema | undefined, `${at}{}`)
}

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
}

test('every field of every answer is described, but for those that nobody can describe', () => {
  const found = [
    ...allCapabilities.flatMap(({ name, output }) => [...openIn(schemaOf(output), name)]),
    ...allRoutes(capabilities, '').flatMap(({ method, path: at, tag, answer }) =>
      answer && tag !== 'capabilities' ? [...openIn(schemaOf(answer), `${method.toUpperCase()} ${at}`)] : [],
    ),
  ]
  assert.deepEqual([...new Set(found)].toSorted(), Object.keys(OPEN).toSorted())
})
