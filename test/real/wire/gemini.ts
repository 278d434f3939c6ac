import { type Json, object, objects, plain, string } from '../../../src/sources/json.ts'
import { pieces, type Reply, type Said, type Wire } from './wire.ts'

/** Google's `generateContent` and `streamGenerateContent`. */
export const gemini: Wire = {
  name: 'gemini',
  answers: (url) => /:(streamG|g)enerateContent$/.test(url.pathname),
  read: (body, url) => ({
    model: /models\/([^/:]+):/.exec(url.pathname)?.[1] ?? '',
    stream: url.pathname.endsWith(':streamGenerateContent'),
    said: [
      ...objects(object(body.systemInstruction)?.parts).map(
        (part): Said => ({ by: 'system', text: string(part.text) ?? '' }),
      ),
      ...objects(body.contents).flatMap(saidIn),
    ],
    tools: objects(body.tools)
      .flatMap((tool) => objects(tool.functionDeclarations))
      .map((tool) => ({ name: string(tool.name) ?? '' })),
    noTools: object(object(body.toolConfig)?.functionCallingConfig)?.mode === 'NONE',
  }),
  whole: (reply) => chunk(reply, partsOf(reply), true),
  *events(reply) {
    // A summary of a thought always comes in one piece.
    if (reply.thinking) yield { data: chunk(reply, [{ text: reply.thinking, thought: true }]) }
    for (const text of pieces(reply.text ?? '')) yield { data: chunk(reply, [{ text }]) }
    yield { data: chunk(reply, callsOf(reply), true) }
  },
}

function saidIn(content: Json): Said[] {
  return objects(content.parts).map((part) => {
    if (part.functionResponse) return { by: 'tool', text: plain(object(part.functionResponse)?.response) }
    return {
      by: content.role === 'model' ? 'model' : 'user',
      text: string(part.text) ?? plain(part.functionCall),
    }
  })
}

function partsOf(reply: Reply): Json[] {
  return [
    ...(reply.thinking ? [{ text: reply.thinking, thought: true }] : []),
    ...(reply.text ? [{ text: reply.text }] : []),
    ...callsOf(reply),
  ]
}

function callsOf({ calls }: Reply): Json[] {
  // Only the first of parallel calls carries the signature, as with the real API.
  return calls.map(({ id, tool, args }, index) => ({
    functionCall: { id, name: tool.name, args },
    ...(index === 0 && { thoughtSignature: 'c2lnbmF0dXJl' }),
  }))
}

function finish(reply: Reply): string {
  if (reply.finish) return reply.finish === 'length' ? 'MAX_TOKENS' : 'SAFETY'
  return 'STOP'
}

function chunk(reply: Reply, parts: Json[], last = false): Json {
  const { input, output, cached, reasoning } = reply.tokens
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(last && { finishReason: finish(reply) }) },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
    },
    modelVersion: reply.model,
    responseId: reply.id,
  }
}
