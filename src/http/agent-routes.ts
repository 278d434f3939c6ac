import { z } from 'zod'
import type { Agent, AgentEvent, RunResult } from '../agent/agent.ts'
import { RecollectError } from '../model/errors.ts'
import type { Entry } from '../server/guard.ts'
import { withoutSecrets } from '../service/outgoing.ts'
import { agentEvents, followedEvents } from './agent-events.ts'
import { agentOf } from './agent-of.ts'
import {
  approval,
  model,
  provider,
  result,
  server,
  session,
  sessionMessage,
  spending,
  tool,
} from './agent-shapes.ts'
import { failureOf } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { type Call, type Route, route } from './route.ts'

const sessionId = z.string().min(1).max(200)
const asked = z.strictObject({
  message: z.string().max(1_000_000),
  attachments: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(300),
        mimeType: z.string().max(200),
        data: z.base64().optional().describe('Of a picture or another file'),
        text: z.string().optional().describe('Of a file that is text'),
      }),
    )
    .max(20)
    .optional(),
  sessionId: sessionId.optional().describe('Continues an earlier chat'),
  instead: z
    .string()
    .max(100)
    .optional()
    .describe('The id of a request of that chat: asks this instead, in a copy of what was said before'),
  provider: z.string().min(1).max(100).optional(),
  model: z.string().min(1).max(200).optional(),
  parameters: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
      maxToolIterations: z.int().min(1).max(100).optional(),
      tools: z.boolean().optional().describe('Whether the model is offered tools; true'),
    })
    .optional(),
})
const inPath = z.object({ sessionId })
const begun = z.object({ sessionId: z.string() })

/** The agent: a message goes in; what it does comes out at its end, or as it happens. */
export const agentRoutes: Route[] = [
  route({
    method: 'post',
    path: '/api/v1/chat',
    summary: 'Ask the agent; with `Accept: text/event-stream` as it happens',
    tag: 'agent',
    act: 'ask',
    body: asked,
    most: 'large',
    answer: result,
    events: agentEvents,
    handle: async ({ backend, body, request, entry }) =>
      await runOrStream({ request, entry }, await agentOf(backend), (agent, tell, signal) =>
        agent.run(body, tell, signal),
      ),
  }),
  route({
    method: 'post',
    path: '/api/v1/chat/stream',
    summary: 'Ask the agent; events named as their type, then `done` or `error`',
    tag: 'agent',
    act: 'ask',
    body: asked,
    most: 'large',
    type: 'text/event-stream',
    events: agentEvents,
    handle: async ({ backend, body, entry }) =>
      streamed(entry, await agentOf(backend), (agent, tell, signal) => agent.run(body, tell, signal)),
  }),
  route({
    method: 'post',
    path: '/api/v1/chat/{sessionId}/resume',
    summary: 'Resume a paused chat, once its approvals are decided',
    tag: 'agent',
    act: 'ask',
    params: inPath,
    answer: result,
    events: agentEvents,
    handle: async ({ backend, params, request, entry }) =>
      await runOrStream({ request, entry }, await agentOf(backend), (agent, tell, signal) =>
        agent.resume(params.sessionId, tell, signal),
      ),
  }),
  route({
    method: 'post',
    path: '/api/v1/runs',
    summary: 'Ask the agent and leave: it answers on the server, whoever listens',
    tag: 'agent',
    act: 'ask',
    body: asked,
    most: 'large',
    answer: begun,
    handle: async ({ backend, body }) => await (await agentOf(backend)).start(body),
  }),
  route({
    method: 'post',
    path: '/api/v1/sessions/{sessionId}/resume',
    summary: 'Resume a paused chat on the server, once its approvals are decided',
    tag: 'agent',
    act: 'ask',
    params: inPath,
    answer: begun,
    handle: async ({ backend, params }) => await (await agentOf(backend)).startAgain(params.sessionId),
  }),
  route({
    method: 'post',
    path: '/api/v1/sessions/{sessionId}/stop',
    summary: 'End the answer that is being given; what was said is kept',
    tag: 'agent',
    act: 'ask',
    params: inPath,
    answer: session,
    handle: async ({ backend, params }) => await (await agentOf(backend)).stop(params.sessionId),
  }),
  route({
    method: 'get',
    path: '/api/v1/sessions/{sessionId}/events',
    summary:
      'What happened in a chat and what happens in it; `Last-Event-ID` or `after` resumes where you left off',
    tag: 'agent',
    act: 'ask',
    params: inPath,
    query: z.strictObject({
      after: z.string().max(30).optional().describe('The id of the last event heard'),
    }),
    type: 'text/event-stream',
    events: followedEvents,
    async handle({ backend, params, query, request, entry }) {
      const agent = await agentOf(backend)
      // What is wrong with the question itself has a status of its own.
      const { id } = await agent.session(params.sessionId)
      const after = request.headers.get('last-event-id') ?? query.after
      return eventStream(async ({ send, gone }) => {
        try {
          await agent.follow(id, after, (event, place) => send(event.type, event, place), gone)
        } catch (error) {
          const { code, message, hint } = failureOf(error, entry)
          send('error', { type: 'error', code, message, hint, sessionId: id })
        }
      })
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/sessions',
    summary: "The agent's chats, newest first, a page at a time",
    tag: 'agent',
    act: 'ask',
    query: z.strictObject({
      limit: z.int().min(1).max(200).optional().describe('How many; 50'),
      cursor: z.string().max(100).optional().describe('`next` of the page before'),
      status: session.shape.status.optional(),
    }),
    answer: z.object({
      sessions: z.array(session),
      next: z.string().optional().describe('Where the next page begins; none on the last'),
    }),
    handle: async ({ backend, query }) => await (await agentOf(backend)).sessionPage(query),
  }),
  route({
    method: 'get',
    path: '/api/v1/sessions/{sessionId}',
    summary: 'A chat with its messages',
    tag: 'agent',
    act: 'ask',
    params: inPath,
    answer: session.extend({ messages: z.array(sessionMessage) }),
    handle: async ({ backend, params }) => await (await agentOf(backend)).session(params.sessionId),
  }),
  route({
    method: 'delete',
    path: '/api/v1/sessions/{sessionId}',
    summary: 'Erase a chat, here and in the archive; for the owner only',
    tag: 'agent',
    act: 'forget',
    params: inPath,
    answer: z.object({ deleted: z.string() }),
    async handle({ backend, params }) {
      await (await agentOf(backend)).deleteSession(params.sessionId)
      return { deleted: params.sessionId }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/approvals',
    summary: 'Tools that wait to be allowed',
    tag: 'agent',
    act: 'ask',
    answer: z.object({ approvals: z.array(approval) }),
    handle: async ({ backend }) => ({ approvals: await (await agentOf(backend)).approvals() }),
  }),
  route({
    method: 'post',
    path: '/api/v1/approvals/{id}',
    summary: 'Allow a tool, or not; a token needs the scope `approve`, and decides for now only',
    tag: 'agent',
    act: 'approve',
    params: z.object({ id: z.string().min(1).max(300) }),
    body: z.strictObject({
      decision: z.enum(['allow', 'deny']),
      reason: z.string().max(10_000).optional(),
      remember: z.enum(['once', 'session', 'tool', 'server']).optional(),
    }),
    answer: approval,
    async handle({ backend, params, body, entry }) {
      // What is decided for good is the person's own word.
      if (!entry.owner && (body.remember === 'tool' || body.remember === 'server'))
        throw new RecollectError(
          'FORBIDDEN',
          'A token cannot decide permanently.',
          'Use `once` or `session`, or let the owner decide: on the page or in the terminal.',
        )
      return await (await agentOf(backend)).decide(params.id, body)
    },
  }),
  route({
    method: 'get',
    path: '/api/v2/providers',
    summary: 'Providers of models, and whether they can be used',
    tag: 'agent',
    act: 'ask',
    answer: z.object({ providers: z.array(provider) }),
    handle: async ({ backend }) => ({ providers: await (await agentOf(backend)).providers() }),
  }),
  route({
    method: 'get',
    path: '/api/v2/models',
    summary: 'Models that can be asked',
    tag: 'agent',
    act: 'ask',
    answer: z.object({ models: z.array(model) }),
    handle: async ({ backend }) => ({ models: await (await agentOf(backend)).models() }),
  }),
  route({
    method: 'get',
    path: '/api/v2/spending',
    summary: 'What models cost today, by provider, and the budget',
    tag: 'agent',
    act: 'ask',
    answer: spending,
    handle: async ({ backend }) => await (await agentOf(backend)).spent(),
  }),
  route({
    method: 'get',
    path: '/api/v2/mcp/servers',
    summary: 'MCP servers that the agent uses, and how they are',
    tag: 'agent',
    act: 'ask',
    answer: z.object({ servers: z.array(server) }),
    handle: async ({ backend }) => ({ servers: await (await agentOf(backend)).servers() }),
  }),
  route({
    method: 'get',
    path: '/api/v2/mcp/tools',
    summary: 'Tools that the agent has',
    tag: 'agent',
    act: 'ask',
    answer: z.object({ tools: z.array(tool) }),
    handle: async ({ backend }) => ({ tools: await (await agentOf(backend)).tools() }),
  }),
]

type Work = (agent: Agent, tell: (event: AgentEvent) => void, signal: AbortSignal) => Promise<RunResult>

async function runOrStream(
  { request, entry }: Pick<Call, 'request' | 'entry'>,
  agent: Agent,
  work: Work,
): Promise<RunResult | Response> {
  if (request.headers.get('accept')?.includes('text/event-stream')) return streamed(entry, agent, work)
  return withoutSecrets(await work(agent, () => {}, request.signal))
}

/** Who goes away ends what was being done for them. */
function streamed(entry: Entry, agent: Agent, work: Work): Response {
  return eventStream(async ({ send, gone }) => {
    try {
      send('done', withoutSecrets(await work(agent, (event) => send(event.type, event), gone)))
    } catch (error) {
      if (gone.aborted) return
      const { code, message, hint, details } = failureOf(error, entry)
      send('error', { code, message, hint, ...details })
    }
  })
}
