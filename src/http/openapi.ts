import { z } from 'zod'
import { packageVersion } from '../platform/package-root.ts'
import { MCP_PATH } from '../server/shared.ts'
import { type Route, route } from './route.ts'

/** The description of all routes, itself included, as OpenAPI 3.1. Made when it is first asked for. */
export function openApiRoute(routes: Route[]): Route {
  let made: OpenApi | undefined
  const own = route({
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    tag: 'archive',
    answer: z.looseObject({ openapi: z.string() }),
    handle() {
      made ??= openApi([...routes, own])
      return made
    },
  })
  return own
}

/** What stands in it is the standard's to say. */
type OpenApi = { openapi: string; [part: string]: unknown }

function openApi(routes: Route[]): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const each of routes) {
    const item = paths[each.path] ?? {}
    paths[each.path] = item
    item[each.method] = operation(each)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Recollect',
      version: packageVersion(),
      description:
        'Every conversation you had with an AI assistant. Ask with a bearer token (`recollect token create <name>`); what is marked as for the owner only the page may do, with its cookie, the header `x-recollect: 1` and its own origin.',
    },
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ token: [] }, { page: [] }],
    paths: { ...paths, [MCP_PATH]: MCP },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        page: { type: 'apiKey', in: 'cookie', name: 'recollect' },
      },
      responses: {
        Error: {
          description: 'What went wrong and what to do next',
          content: { 'application/json': { schema: ERROR } },
        },
      },
    },
  }
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message'],
      properties: {
        code: { type: ['string', 'null'] },
        message: { type: 'string' },
        hint: { type: 'string' },
      },
    },
  },
}

const MCP = {
  post: {
    summary: 'Streamable HTTP of the Model Context Protocol',
    operationId: 'mcp',
    tags: ['capabilities'],
    security: [{ token: [] }],
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: { 200: { description: 'An answer of the protocol' } },
  },
}

function operation(route: Route): object {
  const { method, path, summary, tag, owner, params, query, body, answer, type, events } = route
  const content = {
    ...(answer && { 'application/json': { schema: schemaOf(answer, 'output') } }),
    ...(events && { 'text/event-stream': { schema: eventsOf(events) } }),
    ...(!answer && !events && { [type ?? 'application/json']: { schema: { type: 'string' } } }),
  }
  return {
    operationId: `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`,
    summary,
    tags: [tag],
    ...(owner && { security: [{ page: [] }], description: 'For the owner only: the page, never a token.' }),
    ...((params || query) && { parameters: [...named(params, 'path'), ...named(query, 'query')] }),
    ...(body && { requestBody: { content: { 'application/json': { schema: schemaOf(body, 'input') } } } }),
    responses: { 200: { description: summary, content }, default: { $ref: '#/components/responses/Error' } },
  }
}

/** One of a stream's events; `data` is JSON on one line. */
function eventsOf(events: Record<string, z.ZodType>): object {
  return {
    oneOf: Object.entries(events).map(([name, data]) => ({
      type: 'object',
      title: name,
      required: ['event', 'data'],
      properties: {
        event: { const: name },
        id: { type: 'string', description: 'Where to resume from, with `Last-Event-ID`' },
        data: schemaOf(data, 'output'),
      },
    })),
  }
}

function named(schema: z.ZodType | undefined, place: 'path' | 'query'): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
  }))
}

/** Without the dialect, which the document has as a whole. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
