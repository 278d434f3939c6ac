import { z } from 'zod'
import { anyJson, usage } from '../capabilities/shapes.ts'
import { approval, question, result } from './agent-shapes.ts'

const text = z.string()
const finish = result.shape.finish
const failure = { code: text, message: text, hint: text.optional() }

/** What happens in a run, as agent/agent.ts has it in types: each event by its name. */
const happens = {
  start: z.object({
    type: z.literal('start'),
    sessionId: text,
    provider: text,
    model: text,
    answers: z.number().describe('How many the model had given in this chat before'),
  }),
  text: z.object({ type: z.literal('text'), text }),
  thinking: z.object({ type: z.literal('thinking'), text }),
  'tool-call': z.object({
    type: z.literal('tool-call'),
    id: text,
    tool: text,
    server: text,
    args: anyJson.optional(),
  }),
  'tool-result': z.object({
    type: z.literal('tool-result'),
    id: text,
    tool: text,
    success: z.boolean(),
    result: text,
    durationMs: z.number(),
  }),
  progress: z
    .object({
      type: z.literal('progress'),
      id: text,
      tool: text,
      done: z.number(),
      total: z.number().optional(),
      message: text.optional(),
    })
    .describe('How far a tool is'),
  approval: z.object({ type: z.literal('approval'), approval }),
  question: z
    .object({ type: z.literal('question'), question })
    .describe('A server asks while its tool runs; told again with its outcome'),
  step: z.object({ type: z.literal('step'), usage: usage(), latencyMs: z.number(), finish }),
  notice: z.object({ type: z.literal('notice'), text }),
}

/** Of a run that is answered to one client. */
export const agentEvents = {
  ...happens,
  done: result,
  error: z.looseObject(failure),
}

/** Of a dialog that is followed. */
export const followedEvents = {
  ...happens,
  request: z.object({
    type: z.literal('request'),
    id: text,
    text,
    attachments: z.array(z.object({ name: text, mimeType: text })),
    json: z.boolean().optional().describe('The answer is to be a JSON document'),
  }),
  done: z.object({ type: z.literal('done'), result }),
  stopped: z.object({ type: z.literal('stopped'), sessionId: text }),
  error: z.object({ type: z.literal('error'), ...failure, sessionId: text }),
}
