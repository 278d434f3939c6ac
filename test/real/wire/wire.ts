import type { Json } from '../../../src/sources/json.ts'

/** One model API as it is on the wire: how its requests are read and its replies written. */
export interface Wire {
  name: string
  /** Whether a request to this path is one for a reply. */
  answers(url: URL): boolean
  read(body: Json, url: URL): Asked
  /** The reply as one document. */
  whole(reply: Reply): Json
  /** The reply as a stream of server-sent events, with what the request asked for. */
  events(reply: Reply, body: Json): Iterable<ServerEvent>
}

/** What a request says, whatever its API. */
export interface Asked {
  model: string
  stream: boolean
  /** Everything said so far, in order; what the model called or thought is said by it too. */
  said: Said[]
  tools: OfferedTool[]
  /** Tools are there, but may not be called. */
  noTools?: boolean
}

export interface Said {
  by: 'user' | 'model' | 'tool' | 'system'
  text: string
}

export interface OfferedTool {
  name: string
  /** Takes any text instead of JSON (OpenAI's custom tools). */
  freeform?: boolean
  /** The group of tools it belongs to (OpenAI's namespaces). */
  namespace?: string
}

/** One turn of a script, ready to be written. */
export interface Reply {
  /** Unique within the server; ids on the wire are made from it. */
  id: string
  model: string
  createdAt: number
  thinking?: string
  text?: string
  calls: ReplyCall[]
  tokens: Tokens
  /** Why it ends, where not by itself. */
  finish?: Finish
}

export type Finish = 'length' | 'filter'

export interface ReplyCall {
  id: string
  tool: OfferedTool
  args: unknown
}

/** `input` is all that was read, `cached` the part of it from a cache; `output` includes `reasoning`. */
export interface Tokens {
  input: number
  output: number
  cached: number
  reasoning: number
}

export interface ServerEvent {
  event?: string
  data: Json | string
}

/** Arguments that a model wrote wrongly. */
export class RawArguments {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function argumentsText(args: unknown): string {
  return args instanceof RawArguments ? args.text : JSON.stringify(args)
}

/** Text as a model would stream it: a few letters at a time. */
export function* pieces(text: string): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + 16
    // A surrogate pair stays whole.
    const cut = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end + 1 : end
    yield text.slice(at, cut)
    at = cut
  }
}
