import { z } from 'zod'
import { agentOf } from './agent-of.ts'
import { Chunks, chunk, completed, completion, completionOf, completionWanted } from './openai-completions.ts'
import { ResponseTeller, response, responseEvents } from './openai-response.ts'
import { responseAsked, responsePlace, responseWanted } from './openai-responses.ts'
import { deskOf, finished, OWN, streamed } from './openai-run.ts'
import { storedResponse } from './openai-stored.ts'
import { type Route, route } from './route.ts'

const inPath = z.object({ id: z.string().min(1).max(100) })

/** The agent as if it were a model, for clients that know no other interface. Nobody can be asked there. */
export const openAiRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'Ask the agent as OpenAI models are asked, with or without `stream`',
    tag: 'openai',
    act: 'ask',
    body: completion,
    most: 'large',
    answer: completed,
    events: { message: chunk },
    async handle({ backend, body, request }) {
      const wanted = await completionWanted(backend, body, request)
      return body.stream
        ? await streamed(wanted, request.signal, (stream) => new Chunks(stream, body))
        : completionOf(body, await finished(wanted, request.signal))
    },
  }),
  route({
    method: 'post',
    path: '/v1/responses',
    summary: 'The same in the newer of OpenAI’s APIs, with or without `stream`',
    tag: 'openai',
    act: 'ask',
    body: responseAsked,
    most: 'large',
    answer: response,
    events: responseEvents,
    async handle({ backend, body, request }) {
      const wanted = await responseWanted(backend, body, request)
      if (body.stream)
        return await streamed(wanted, request.signal, (stream) => new ResponseTeller(body, stream))
      const teller = new ResponseTeller(body)
      const done = await finished(wanted, request.signal, (event) => teller.pass(event))
      return Response.json(teller.whole(done), { headers: { 'x-session-id': done.result.sessionId } })
    },
  }),
  route({
    method: 'get',
    path: '/v1/responses/{id}',
    summary: 'A response that was given before, or as far as it has come',
    tag: 'openai',
    act: 'ask',
    params: inPath,
    answer: response,
    handle: async ({ backend, params }) => await storedResponse(await deskOf(backend), params.id),
  }),
  route({
    method: 'delete',
    path: '/v1/responses/{id}',
    summary: 'Nothing goes on from this response any more; the chat stays in the archive',
    tag: 'openai',
    act: 'ask',
    params: inPath,
    answer: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
    async handle({ backend, params: { id } }) {
      const known = await deskOf(backend)
      await responsePlace(known, id)
      known.dialogs.deleteResponse(id)
      return { id, object: 'response' as const, deleted: true as const }
    },
  }),
  route({
    method: 'get',
    path: '/v1/models',
    summary: 'What may be named as a model',
    tag: 'openai',
    act: 'ask',
    answer: z.object({
      object: z.string(),
      data: z.array(
        z.object({ id: z.string(), object: z.string(), created: z.number(), owned_by: z.string() }),
      ),
    }),
    async handle({ backend }) {
      const models = await (await agentOf(backend)).models()
      const named = (id: string, owner: string) => ({ id, object: 'model', created: 0, owned_by: owner })
      return {
        object: 'list',
        data: [named(OWN, OWN), ...models.map(({ id, provider }) => named(`${provider}/${id}`, provider))],
      }
    },
  }),
]
