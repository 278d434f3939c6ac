import {
  type GetPromptResult,
  type InputRequiredResult,
  type McpRequestContext,
  type Prompt,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { capabilities } from '../../src/capabilities/index.ts'
import { mcpEndpoint, refused } from '../../src/mcp/endpoint.ts'
import { PROMPTS } from '../../src/mcp/prompts.ts'
import { listResources, readResource, TEMPLATES } from '../../src/mcp/resources.ts'
import { mcpServer } from '../../src/mcp/server.ts'
import { callTool, toolList } from '../../src/mcp/tools.ts'
import { News } from '../../src/server/change-feed.ts'
import { guard, Refusal } from '../../src/server/guard.ts'
import { listen } from '../../src/server/listen.ts'
import type { Shared } from '../../src/server/shared.ts'
import type { Caller } from '../../src/service/caller.ts'
import { readerFor } from '../../src/service/reader.ts'
import { chosenCapabilities } from '../../src/service/sets.ts'
import { sources } from '../../src/sources/index.ts'
import { syncOnce } from '../../src/sync/once.ts'
import { PIXEL } from './fixture-data.ts'
import { asked, FIXTURE_TOOLS, form, strings } from './fixture-tools.ts'

/**
 * Our server as it is served over HTTP, with what the conformance suite calls by name beside our own
 * tools, resources and prompts.
 */
export async function startFixtureServer(
  home: string,
  folder: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const archive = openSqliteArchive(folder)
  const machine = { platform: process.platform, home, env: {} }
  await syncOnce({ archive, sources, machine })
  const news = new News(archive)
  const shared: Shared = {
    archive,
    env: { WORKSPACE: home },
    readable: async () => ({ sources, machine }),
    capabilities: async () => chosenCapabilities(capabilities, ['all']),
    syncing: () => undefined,
    news,
  }
  const endpoint = mcpEndpoint(shared, withFixtures)
  const { letIn } = guard({ hosts: 'loopback' })
  const server = await listen({ port: 0, open: true }, async (request, { address }) => {
    const entry = letIn(request, address)
    return entry instanceof Refusal ? refused(entry) : await endpoint.answer(request, entry)
  })
  return {
    url: `${server.url}/mcp`,
    async close() {
      await endpoint.close()
      await server.close()
      news.close()
      await archive.close()
    },
  }
}

const CALLER: Caller = { kind: 'agent', budget: 10_000 }

function withFixtures(shared: Shared, context: McpRequestContext): Server {
  const server = mcpServer(shared, context)
  server.registerCapabilities({ logging: {} })
  server.setRequestHandler('tools/list', async () => {
    const fixtures = Object.entries(FIXTURE_TOOLS).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema: inputSchema ?? { type: 'object' as const },
    }))
    return { tools: [...fixtures, ...toolList(await shared.capabilities())] }
  })
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, ctx) => {
    const fixture = FIXTURE_TOOLS[name]
    return fixture ? await fixture.call(args, ctx) : await callTool(shared, name, args, CALLER)
  })
  server.setRequestHandler('resources/list', async () => {
    const { resources } = await listResources(readerFor(shared, CALLER), undefined)
    return { resources: [...resources, ...FIXTURE_RESOURCES] }
  })
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...TEMPLATES, { name: 'template', uriTemplate: 'test://template/{id}/data' }],
  }))
  server.setRequestHandler(
    'resources/read',
    async ({ params: { uri } }) =>
      fixtureContents(uri) ??
      (await readResource({ reader: readerFor(shared, CALLER), env: shared.env, room: 10_000 }, uri)),
  )
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (uri !== 'test://watched-resource') throw new ResourceNotFoundError(uri)
    return {}
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS, ...FIXTURE_PROMPTS] }))
  server.setRequestHandler('prompts/get', ({ params }, ctx) =>
    fixturePrompt(params.name, params.arguments, ctx),
  )
  return server
}

const FIXTURE_RESOURCES: Resource[] = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
]

function fixtureContents(uri: string): ReadResourceResult | undefined {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
  if (id !== undefined)
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }] }
  switch (uri) {
    case 'test://static-text':
    case 'test://watched-resource':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'A text that stays as it is.' }] }
    case 'test://static-binary':
      return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] }
    default:
      return undefined
  }
}

const FIXTURE_PROMPTS: Prompt[] = [
  { name: 'test_simple_prompt', description: 'A sentence' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A sentence with two words in it',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource',
    arguments: [{ name: 'resourceUri', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'A pixel' },
  { name: 'test_input_required_result_prompt', description: 'Asks the person first' },
]

function fixturePrompt(
  name: string,
  args: Record<string, string> = {},
  ctx: ServerContext,
): GetPromptResult | InputRequiredResult {
  switch (name) {
    case 'test_simple_prompt':
      return saying({ type: 'text', text: 'Say hello.' })
    case 'test_prompt_with_arguments':
      return saying({ type: 'text', text: `Say ${args.arg1} and ${args.arg2}.` })
    case 'test_prompt_with_embedded_resource':
      return saying({
        type: 'resource',
        resource: { uri: args.resourceUri ?? '', mimeType: 'text/plain', text: 'Embedded.' },
      })
    case 'test_prompt_with_image':
      return saying({ type: 'image', data: PIXEL, mimeType: 'image/png' })
    case 'test_input_required_result_prompt': {
      const answer = asked('user_context', form('In which context?', strings('context')), ctx)
      return 'content' in answer ? saying({ type: 'text', text: 'Thank you.' }) : answer
    }
    default:
      throw new Error(`no fixture ${name}`)
  }
}

function saying(content: GetPromptResult['messages'][number]['content']): GetPromptResult {
  return { messages: [{ role: 'user', content }] }
}
