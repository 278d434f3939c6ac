import { z } from 'zod'
import { formContent } from '../agent/form.ts'
import { RecollectError } from '../model/errors.ts'
import { agentOf, keysFolder } from './agent-of.ts'
import { question } from './agent-shapes.ts'
import { type Route, route } from './route.ts'

/** What MCP servers want to know from the person: for the owner only, whoever began the run. */
export const questionRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/questions',
    summary: 'What MCP servers ask while their tools run, and nobody has answered yet',
    tag: 'owner',
    owner: true,
    answer: z.object({ questions: z.array(question) }),
    handle: async ({ backend }) => ({ questions: await (await agentOf(backend)).questions() }),
  }),
  route({
    method: 'post',
    path: '/api/v1/questions/{id}',
    summary: 'Answer a server: fill in its form or allow it to use the model, decline, or cancel',
    tag: 'owner',
    owner: true,
    params: z.object({ id: z.string().min(1).max(300) }),
    body: z.strictObject({
      action: z.enum(['accept', 'decline', 'cancel']),
      content: formContent.optional().describe('Of a form: by the names of its fields. Kept nowhere'),
    }),
    answer: question,
    handle: async ({ backend, params, body }) => await (await agentOf(backend)).answer(params.id, body),
  }),
  route({
    method: 'put',
    path: '/api/v2/mcp/inputs/{name}',
    summary: 'Enter what a server wants before it can be started; kept as keys are',
    tag: 'owner',
    owner: true,
    params: z.object({ name: z.string().min(1).max(64) }),
    body: z.strictObject({ value: z.string().min(1).max(4_096) }),
    answer: z.object({ kept: z.enum(['keychain', 'file']) }),
    async handle({ backend, params, body }) {
      if (backend.sample)
        throw new RecollectError(
          'SAMPLE_ARCHIVE',
          'The sample archive has no settings.',
          'Go back to your own archive first.',
        )
      const { keepInput } = await import('../agent/inputs.ts')
      return { kept: await keepInput(await keysFolder(backend), params.name, body.value) }
    },
  }),
]
