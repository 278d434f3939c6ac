import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Json, objects, string } from '../src/sources/json.ts'

/** What a program for models on one's own machine was asked. */
export interface LocalProgram {
  url: string
  asked: { path: string; body: Json }[]
  close(): Promise<void>
}

type Answers = (
  path: string,
  body: Json,
  headers: http.IncomingHttpHeaders,
) => { status?: number; body: unknown; lines?: Json[] } | undefined

/** Ollama's own API: its models, and a chat that first calls a tool where it is offered one. */
export async function startOllama(context = 40_960): Promise<LocalProgram> {
  return await start((at, body) => {
    if (at === '/api/tags') return { body: { models: [{ name: 'qwen3:latest' }, { name: 'gemma:2b' }] } }
    if (at === '/api/show') {
      const tiny = body.model === 'gemma:2b'
      return {
        body: {
          model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': tiny ? 8_192 : context },
          capabilities: tiny ? ['completion'] : ['completion', 'tools', 'vision'],
        },
      }
    }
    if (at !== '/api/chat') return undefined
    if (body.model === 'broken')
      return { status: 500, body: { error: 'llama runner process has terminated' } }
    const results = objects(body.messages).filter(({ role }) => role === 'tool')
    const calls = objects(body.tools).length > 0 && results.length === 0
    const about = { model: body.model, created_at: new Date().toISOString() }
    const end = { ...about, done: true, message: { role: 'assistant', content: '' } }
    const said = (message: Json) => ({ ...about, message: { role: 'assistant', ...message }, done: false })
    const counted = { prompt_eval_count: 900, eval_count: 12, done_reason: 'stop' }
    if (calls) {
      const call = { function: { name: 'search_conversations', arguments: { query: 'bird' } } }
      return { body: undefined, lines: [said({ content: '', tool_calls: [call] }), { ...end, ...counted }] }
    }
    return {
      body: undefined,
      lines: [
        said({ content: '', thinking: 'Hm. ' }),
        said({ content: 'A king' }),
        said({ content: 'fisher.' }),
        { ...end, ...counted },
      ],
    }
  })
}

/**
 * LM Studio's: one model that is loaded with few tokens, one that is not loaded yet. From version 0.4 on it has a newer
 * API besides; fields as https://lmstudio.ai/docs/developer/rest has them.
 */
export async function startLmStudio(version: '0.3' | '0.4' = '0.4'): Promise<LocalProgram> {
  return await start((at, body) => {
    if (at === '/api/v1/models' && version === '0.4') {
      const about = {
        publisher: 'made-up',
        quantization: { name: 'Q4_K_M', bits_per_weight: 4 },
        format: 'gguf',
      }
      const able = (vision: boolean) => ({ vision, trained_for_tool_use: true })
      return {
        body: {
          models: [
            {
              ...about,
              type: 'llm',
              key: 'granite-4',
              display_name: 'Granite 4',
              loaded_instances: [],
              max_context_length: 131_072,
              capabilities: able(false),
            },
            {
              ...about,
              type: 'llm',
              key: 'llava',
              display_name: 'LLaVA',
              loaded_instances: [{ id: 'llava', config: { context_length: 4_096, flash_attention: true } }],
              max_context_length: 32_768,
              capabilities: able(true),
            },
            {
              ...about,
              type: 'embedding',
              key: 'nomic-embed',
              loaded_instances: [],
              max_context_length: 2_048,
            },
          ],
        },
      }
    }
    if (at === '/api/v0/models') {
      return {
        body: {
          data: [
            { id: 'granite-4', type: 'llm', state: 'not-loaded', max_context_length: 131_072 },
            {
              id: 'llava',
              type: 'vlm',
              state: 'loaded',
              max_context_length: 32_768,
              loaded_context_length: 4_096,
            },
            { id: 'nomic-embed', type: 'embeddings', state: 'not-loaded' },
          ],
        },
      }
    }
    if (at === '/api/v1/models/load' && version === '0.4')
      return { body: { type: 'llm', instance_id: body.model, load_time_seconds: 0.1, status: 'loaded' } }
    if (at !== '/v1/chat/completions') return undefined
    const chunk = (delta: Json, finish_reason: string | null) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 0,
      model: string(body.model),
      choices: [{ index: 0, delta, finish_reason }],
    })
    return { body: [chunk({ role: 'assistant', content: 'From LM Studio.' }, null), chunk({}, 'stop')] }
  })
}

async function start(answers: Answers): Promise<LocalProgram> {
  const asked: LocalProgram['asked'] = []
  const server = http.createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const body = (text === '' ? {} : JSON.parse(text)) as Json
    const path = incoming.url ?? '/'
    asked.push({ path, body })
    const answer = answers(path, body, incoming.headers)
    if (!answer) outgoing.writeHead(404).end('404 page not found')
    else if (answer.lines)
      outgoing
        .writeHead(200, { 'content-type': 'application/x-ndjson' })
        .end(answer.lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    else if (Array.isArray(answer.body) && body.stream === true)
      outgoing
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`${answer.body.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`)
    else
      outgoing
        .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A provider that takes no key but one. */
export async function startPicky(key: string): Promise<LocalProgram> {
  return await start((_, __, headers) =>
    headers['x-api-key'] === key || headers.authorization === `Bearer ${key}`
      ? { body: { data: [{ id: 'claude-sonnet-5' }, { id: 'claude-haiku-5' }] } }
      : { status: 401, body: { error: { message: `invalid x-api-key: ${headers['x-api-key']}` } } },
  )
}
