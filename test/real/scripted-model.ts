import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Json, object } from '../../src/sources/json.ts'
import { anthropic } from './wire/anthropic.ts'
import { gemini } from './wire/gemini.ts'
import { openaiChat } from './wire/openai-chat.ts'
import { openaiResponses } from './wire/openai-responses.ts'
import type { Asked, Finish, Reply, Said, Tokens, Wire } from './wire/wire.ts'

/** What the model replies to one request; without calls it ends the assistant's turn. */
export interface Turn {
  thinking?: string
  text?: string
  calls?: { tool: string; args: unknown }[]
  usage?: Partial<Tokens>
  fault?: Fault
  finish?: Finish
  /** How many milliseconds pass between two of its pieces. */
  paceMs?: number
}

/** What goes wrong instead of, or in the middle of, a reply. */
export type Fault =
  /** It is refused, the first `times` times it is asked (or always). */
  | { status: number; message: string; details?: unknown[]; times?: number; headers?: Record<string, string> }
  /** The connection breaks in the middle of the reply. */
  | 'cut'
  /** The reply ends there too, but as if that were its end: a proxy that lost its server does so. */
  | 'end'
  /** Half of the reply comes, and then nothing more. */
  | 'hang'

export interface Script {
  /** Words in a prompt that begin this script. */
  when: string
  /** One for each request until the next prompt; the last one is repeated. */
  turns: Turn[]
  /** Where tools may not be called; without it the model calls them all the same. */
  toolless?: Turn
}

export interface ScriptedModel {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string
  /** Everything that was asked, in order. */
  requests: Request[]
  close(): Promise<void>
}

export interface Request extends Asked {
  wire: string
  path: string
  body: Json
  headers: http.IncomingHttpHeaders
  /** Which script and turn were played; none when the request matched no script. */
  played?: { script: Script; turn: number }
  /** Whoever asked went away before the reply had ended. */
  left?: true
}

const WIRES: Wire[] = [anthropic, openaiChat, openaiResponses, gemini]
const ASIDE: Turn = { text: 'OK' }
const TOKENS: Tokens = { input: 1200, output: 34, cached: 1000, reasoning: 12 }

/**
 * A model on loopback that says what a script says, in the wire format it is asked in: Anthropic
 * Messages, OpenAI Chat Completions and Responses, Gemini. It keeps no state: which turn comes next is
 * seen from the conversation in the request, so several assistants may talk to it at once.
 */
export async function startScriptedModel(scripts: Script[]): Promise<ScriptedModel> {
  const requests: Request[] = []
  const refused = new Map<Turn, number>()
  const server = http.createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    const body = await bodyOf(incoming)
    const wire = incoming.method === 'POST' ? WIRES.find((each) => each.answers(url)) : undefined
    if (!wire) return sideQuestion(url, outgoing)
    if (!body) return sendJson(outgoing, 400, { error: { message: 'the body is not a JSON object' } })
    const asked = wire.read(body, url)
    const played = chosen(scripts, asked)
    const { headers } = incoming
    const request: Request = { ...asked, wire: wire.name, path: url.pathname, body, headers, played }
    requests.push(request)
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) request.left = true
    })
    const toolless = asked.noTools ? played?.script.toolless : undefined
    const turn = toolless ?? played?.script.turns[played.turn] ?? ASIDE
    const reply = replyOf(turn, asked)
    if (typeof turn.fault === 'object' && isRefused(turn, turn.fault, refused))
      return sendJson(outgoing, turn.fault.status, refusal(turn.fault), turn.fault.headers)
    if (!asked.stream) sendJson(outgoing, 200, wire.whole(reply))
    else if (wire === gemini && url.searchParams.get('alt') !== 'sse')
      sendJson(
        outgoing,
        200,
        [...wire.events(reply, body)].map((each) => each.data),
      )
    else await sendEvents(outgoing, [...wire.events(reply, body)], turn)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The script begun by the newest prompt that begins one, and its turn: as many replies as came since. */
function chosen(scripts: Script[], { said, tools }: Asked): Request['played'] {
  for (let at = said.length - 1; at >= 0; at--) {
    const { by, text } = said[at]!
    const script = by === 'user' && scripts.find(({ when }) => text.includes(when))
    if (!script) continue
    const turn = Math.min(repliesIn(said.slice(at)), script.turns.length - 1)
    // Assistants also ask on the side, for a title say: with the prompt in it, but without tools.
    const aside = tools.length === 0 && script.turns.some(({ calls = [] }) => calls.length > 0)
    return aside ? undefined : { script, turn }
  }
}

/** What one reply said, thought and called stands in a row, whether as one entry or several. */
function repliesIn(said: Said[]): number {
  return said.filter(({ by }, at) => by === 'model' && said[at - 1]?.by !== 'model').length
}

function replyOf(turn: Turn, { model, tools }: Asked): Reply {
  const id = randomUUID().replaceAll('-', '')
  return {
    id,
    model,
    createdAt: Date.now(),
    thinking: turn.thinking,
    text: turn.text,
    calls: (turn.calls ?? []).map(({ tool, args }, index) => ({
      id: `call_${id}_${index}`,
      tool: tools.find((each) => each.name === tool) ?? { name: tool },
      args,
    })),
    tokens: { ...TOKENS, ...turn.usage },
    finish: turn.finish,
  }
}

async function bodyOf(incoming: http.IncomingMessage): Promise<Json | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  try {
    return object(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  } catch {
    return undefined
  }
}

/** What assistants ask besides: which models there are, how many tokens a request has. */
function sideQuestion(url: URL, outgoing: http.ServerResponse): void {
  if (url.pathname.endsWith('/count_tokens')) sendJson(outgoing, 200, { input_tokens: TOKENS.input })
  else if (url.pathname.endsWith(':countTokens')) sendJson(outgoing, 200, { totalTokens: TOKENS.input })
  else if (url.pathname.endsWith('/models')) sendJson(outgoing, 200, { object: 'list', data: [] })
  else sendJson(outgoing, 404, { error: { type: 'not_found_error', message: `no ${url.pathname} here` } })
}

function isRefused(
  turn: Turn,
  { times = Number.POSITIVE_INFINITY }: { times?: number },
  refused: Map<Turn, number>,
): boolean {
  const before = refused.get(turn) ?? 0
  refused.set(turn, before + 1)
  return before < times
}

/** In a form that each of the APIs has in common with the others. */
function refusal({ status, message, details }: Exclude<Fault, string>): Json {
  const type = status === 529 ? 'overloaded_error' : status === 429 ? 'rate_limit_error' : 'error'
  return { type: 'error', error: { type, message, code: status, status: type, ...(details && { details }) } }
}

function sendJson(
  outgoing: http.ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function sendEvents(
  outgoing: http.ServerResponse,
  events: { event?: string; data: unknown }[],
  { fault, paceMs }: Turn,
): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const broken = fault === 'cut' || fault === 'end' || fault === 'hang'
  for (const { event, data } of broken ? events.slice(0, Math.ceil(events.length / 2)) : events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    outgoing.write(`${event ? `event: ${event}\n` : ''}data: ${text}\n\n`)
    if (paceMs) await sleep(paceMs)
    if (outgoing.destroyed) return
  }
  if (fault === 'cut') setImmediate(() => outgoing.destroy())
  else if (fault !== 'hang') outgoing.end()
}
