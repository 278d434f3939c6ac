import { z } from 'zod'
import { formField } from '../agent/form.ts'
import { anyJson, usage } from '../capabilities/shapes.ts'

/** What the agent answers, as agent/agent.ts has it in types. */

export const approval = z.object({
  id: z.string(),
  sessionId: z.string(),
  tool: z.string(),
  server: z.string(),
  args: anyJson.optional().describe('As the model gave them'),
  askedAt: z.number(),
  decision: z.enum(['allow', 'deny']).optional(),
})

export const question = z.object({
  id: z.string(),
  sessionId: z.string(),
  kind: z.enum(['form', 'sampling']).describe('A form to fill in, or whether the model may answer it'),
  server: z.string(),
  message: z.string().describe('The words of the server; of `sampling`, what the model would be asked'),
  fields: z.array(formField),
  askedAt: z.number(),
  outcome: z.enum(['accept', 'decline', 'cancel']).optional(),
})

export const citation = z.object({
  uri: z.string().describe('As it is written'),
  from: z.number().describe('Where in the text it is'),
  to: z.number(),
  verified: z.boolean().describe('The chat and the message exist, and the message says what is quoted'),
  problem: z.string().optional().describe('Why not'),
  chatId: z.string().optional(),
  source: z.string().optional(),
  title: z.string().optional(),
  date: z.string().optional(),
  author: z.string().optional().describe('Whose chat it is, where it is not of this machine'),
  index: z.number().optional().describe('Of the message'),
})

export const result = z.object({
  sessionId: z.string(),
  status: z.enum(['done', 'paused', 'tools']),
  message: z.string(),
  finish: z.enum(['stop', 'length', 'content-filter', 'tool-calls']).describe('Why the model stopped'),
  calls: z
    .array(z.object({ id: z.string(), name: z.string(), args: anyJson.optional() }))
    .optional()
    .describe('What the program that asked has to run'),
  toolResults: z.array(z.object({ toolName: z.string(), success: z.boolean(), result: z.string() })),
  usage: usage().extend({ steps: z.number() }),
  provider: z.string(),
  model: z.string(),
  approvals: z.array(approval).describe('What it waits for, while paused'),
  notices: z.array(z.string()),
  citations: z
    .array(citation)
    .optional()
    .describe('Places in past chats that the answer names, each looked up'),
})

export const session = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  provider: z.string(),
  model: z.string(),
  status: z.enum(['running', 'paused', 'done', 'failed', 'cancelled']),
  asks: z.boolean().optional().describe('It runs, and a server waits for the answer of the person'),
})

export const sessionMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  text: z.string(),
  createdAt: z.number(),
  id: z.string().optional().describe('Of a request: what `instead` takes'),
  toolCalls: z.array(z.object({ id: z.string(), tool: z.string(), args: anyJson.optional() })).optional(),
  toolResult: z
    .object({ id: z.string(), tool: z.string(), success: z.boolean(), result: z.string() })
    .optional(),
})

export const provider = z.object({
  id: z.string(),
  name: z.string(),
  ready: z.boolean(),
  problem: z.string().optional().describe('Why not, and what to do'),
  defaultModel: z.string().optional(),
  url: z.string().optional(),
  key: z
    .enum(['environment', 'keychain', 'file', 'missing', 'none needed'])
    .describe('Where its key comes from'),
  local: z.boolean().describe('It runs on this machine'),
  own: z.boolean().describe('The person set it up: it is none of those that everybody has'),
  context: z.number().optional().describe('How many tokens its models are to read at most, where set'),
})

export const model = z.object({
  id: z.string(),
  provider: z.string(),
  tools: z.boolean(),
  price: z
    .object({ input: z.number(), output: z.number() })
    .optional()
    .describe('US dollars per million tokens'),
  context: z.number().optional().describe('How many tokens it reads, of a model on this machine'),
  images: z.boolean().optional().describe('Whether it takes images, where known'),
})

export const server = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  status: z.enum(['ready', 'starting', 'failed', 'disabled']),
  problem: z.string().optional(),
  transport: z.enum(['stdio', 'http', 'sse', 'own']),
  tools: z.number(),
  wants: z
    .array(z.object({ name: z.string(), description: z.string().optional() }))
    .optional()
    .describe('What has to be entered before it can be started: `PUT /api/v2/mcp/inputs/{name}`'),
  login: z.string().optional().describe('The command that signs in to it, where it wants that'),
})

export const tool = z.object({
  name: z.string(),
  server: z.string(),
  description: z.string(),
  available: z.boolean(),
  approval: z.enum(['always', 'ask', 'never']),
  inputSchema: anyJson.describe('A JSON schema'),
})

const spendable = z.object({ tokens: z.number().optional(), cost: z.number().optional() })

export const spending = z.object({
  day: z.string(),
  providers: z.array(z.object({ provider: z.string(), tokens: z.number(), cost: z.number() })),
  budget: z
    .object({
      run: spendable.optional(),
      day: spendable.optional(),
      providers: z.record(z.string(), spendable).optional(),
    })
    .optional(),
})
