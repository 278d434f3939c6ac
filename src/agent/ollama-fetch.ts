import { type Json, object, objects, string } from '../sources/json.ts'

/**
 * Ollama's API that is like OpenAI's cannot say how much a model is to read: it is then loaded with a few
 * thousand tokens, and the beginning of what it is asked is dropped without a word. So what would go
 * there goes to Ollama's own API, and comes back in OpenAI's words.
 */
export function ollamaFetch(root: string, context: number): typeof fetch {
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    if (!url.endsWith('/chat/completions') || typeof init?.body !== 'string') return await fetch(input, init)
    const body = JSON.parse(init.body) as Json
    const response = await fetch(`${root}/api/chat`, {
      ...init,
      body: JSON.stringify(nativeRequest(body, context)),
    })
    // Its errors are read as they are.
    if (!response.ok || !response.body) return await asError(response)
    if (body.stream !== true) return Response.json(whole((await response.json()) as Json))
    return new Response(response.body.pipeThrough(events()), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
}

export function nativeRequest(body: Json, context: number): Json {
  const { model, tools, stream, temperature, top_p, seed, stop, max_tokens: most } = body
  const format = object(body.response_format)
  const messages = objects(body.messages)
  const names = new Map(
    messages
      .flatMap((message) => objects(message.tool_calls))
      .map((call) => [call.id, object(call.function)?.name]),
  )
  return {
    model,
    messages: messages.map((message) => nativeMessage(message, names)),
    ...(tools !== undefined && { tools }),
    stream: stream === true,
    ...(format?.type === 'json_object' && { format: 'json' }),
    ...(format?.type === 'json_schema' && { format: object(format.json_schema)?.schema }),
    options: defined({ num_ctx: context, num_predict: most, temperature, top_p, seed, stop }),
  }
}

function nativeMessage(message: Json, names: Map<unknown, unknown>): Json {
  const { role, content } = message
  const parts = objects(content)
  const text = typeof content === 'string' ? content : parts.map((part) => string(part.text) ?? '').join('')
  const images = parts.flatMap((part) => {
    const url = string(object(part.image_url)?.url)
    return url?.startsWith('data:') ? [url.slice(url.indexOf(',') + 1)] : []
  })
  const calls = objects(message.tool_calls).map((call) => {
    const asked = object(call.function) ?? {}
    return { function: { name: asked.name, arguments: argumentsIn(asked.arguments) } }
  })
  return {
    role,
    content: text,
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(role === 'tool' && { tool_name: names.get(message.tool_call_id) }),
  }
}

function argumentsIn(given: unknown): unknown {
  try {
    return typeof given === 'string' ? JSON.parse(given) : (given ?? {})
  } catch {
    return {}
  }
}

/** Lines of JSON in, server-sent events out. */
function events(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const seen = { calls: 0 }
  let rest = ''
  const take = (line: string, to: TransformStreamDefaultController<Uint8Array>) => {
    if (line.trim() === '') return
    for (const chunk of chunksOf(JSON.parse(line) as Json, seen))
      to.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`))
  }
  return new TransformStream({
    transform(bytes, to) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line, to)
    },
    flush(to) {
      take(rest, to)
      to.enqueue(encoder.encode('data: [DONE]\n\n'))
    },
  })
}

function chunksOf(line: Json, seen: { calls: number }): Json[] {
  if (line.error !== undefined) return [{ error: { message: string(line.error) ?? 'Ollama failed.' } }]
  const message = object(line.message) ?? {}
  const about = { id: 'ollama', object: 'chat.completion.chunk', created: 0, model: line.model }
  const chunk = (delta: Json, finish: string | null = null) => ({
    ...about,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const thinking = string(message.thinking)
  const content = string(message.content)
  const calls = callsIn(message, seen)
  return [
    ...(thinking ? [chunk({ role: 'assistant', reasoning_content: thinking })] : []),
    ...(content ? [chunk({ role: 'assistant', content })] : []),
    ...(calls.length > 0 ? [chunk({ role: 'assistant', tool_calls: calls })] : []),
    ...(line.done === true
      ? [chunk({}, finishOf(line, seen.calls > 0)), { ...about, choices: [], usage: usageOf(line) }]
      : []),
  ]
}

function whole(line: Json): Json {
  const message = object(line.message) ?? {}
  const seen = { calls: 0 }
  const calls = callsIn(message, seen)
  return {
    id: 'ollama',
    object: 'chat.completion',
    created: 0,
    model: line.model,
    choices: [
      {
        index: 0,
        finish_reason: finishOf(line, seen.calls > 0),
        message: defined({
          role: 'assistant',
          content: string(message.content) ?? '',
          reasoning_content: string(message.thinking),
          tool_calls: calls.length > 0 ? calls : undefined,
        }),
      },
    ],
    usage: usageOf(line),
  }
}

/** It gives no ids, or the same ones in each reply: the loop gives its own to those that it has seen. */
function callsIn(message: Json, seen: { calls: number }): Json[] {
  return objects(message.tool_calls).map((call) => {
    const { name, arguments: args } = object(call.function) ?? {}
    const index = seen.calls++
    const id = string(call.id) ?? `call_${index}`
    return { index, id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } }
  })
}

function finishOf({ done_reason: reason }: Json, called: boolean): string {
  if (called) return 'tool_calls'
  return reason === 'length' ? 'length' : 'stop'
}

function usageOf({ prompt_eval_count: input = 0, eval_count: output = 0 }: Json): Json {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: Number(input) + Number(output) }
}

async function asError(response: Response): Promise<Response> {
  const text = await response.text()
  const said = (() => {
    try {
      return string((JSON.parse(text) as Json).error)
    } catch {
      return undefined
    }
  })()
  return Response.json({ error: { message: said ?? (text.slice(0, 500) || 'Ollama failed.') } }, response)
}

function defined(record: Json): Json {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
