import type { Usage } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'
import { compactedIn } from './compacted.ts'
import { type ContextLimits, limitIn, tokensIn } from './context-limits.ts'
import type { Provider } from './providers.ts'
import { type Round, roundsIn } from './rounds.ts'
import type { EventOf, RunEvent } from './run-event.ts'
import type { RunLog } from './runs.ts'

/** What has to fit into what a model reads. */
export interface Load {
  log: RunLog
  request: EventOf<'request'>
  provider: Provider
  instructions: string
  tools: { name: string; description?: string; inputSchema: unknown }[]
  maxOutputTokens: number
  /** What is known of the model, and what its server says of itself. */
  limits: ContextLimits
  context?: number
  /** Asks the model to put a text in short; fails as asking does. */
  summarize(text: string): Promise<{ text: string; usage: Usage }>
  notice(text: string): void
}

const PICTURE_TOKENS = 1_500
/** Longer results of earlier rounds are the first to be shortened. */
const SHORT = 400

/**
 * Makes a long dialog fit before the model would refuse it: first the results of earlier tools are shortened,
 * then what was said before this turn is put in short. Only what the model is told changes: the dialog stays whole.
 */
export async function makeRoom(load: Load, isRefused = false): Promise<boolean> {
  const { log, limits, provider, request, context } = load
  const limit = limits.of(provider.id, request.model, context)
  if (limit === undefined) return false
  const room = Math.floor(limit * 0.9) - Math.min(load.maxOutputTokens, Math.floor(limit / 4))
  const counted = estimated(load)
  if (!isRefused && counted <= room) return false
  // What the provider counts and what we reckon from the texts differ by model and language.
  const scale = Math.max(1, counted / estimated(load, true))
  const before = log.events.length
  shorten(load, false)
  // One that was refused is longer than we reckon.
  if (isRefused || estimated(load, true) * scale > room) await putInShort(load, room)
  if (estimated(load, true) * scale > room) shorten(load, true)
  if (log.events.length === before) return false
  load.notice(
    `The chat grew close to the ${limit.toLocaleString('en')} tokens that ${request.model} reads: for the model its earlier part was put in short. The chat itself is kept whole.`,
  )
  return true
}

/**
 * A refusal teaches the limit; whether there is something left that can be put in short is for `makeRoom` to say. Where it
 * names none, what was sent does, unless pictures or documents were in it: nobody knows how many tokens those are.
 */
export function learnFrom(message: string, load: Load): void {
  const { limits, provider, request, log } = load
  const named = limitIn(message)
  if (named === undefined && log.events.some(hasMedia)) return
  limits.learn(provider.id, request.model, named ?? Math.max(256, Math.floor(estimated(load, true) * 0.8)))
}

function hasMedia(event: RunEvent): boolean {
  if (event.type === 'result') return event.media !== undefined
  return event.type === 'request' && event.attachments?.some(({ text }) => text === undefined) === true
}

/** Why it does not fit, where nothing is left to be shortened: the dialog, the message, or the tools. */
export function tooLong(load: Load, said: string): RecollectError {
  const { log, request, tools, provider, limits, context } = load
  const limit = limits.of(provider.id, request.model, context)
  const reads = limit ? `${request.model} reads ${limit.toLocaleString('en')}` : `${request.model} can read`
  const message = tokensOf(request)
  const offered = tokensIn(JSON.stringify(tools))
  const isFirst = log.events.every((event) => event.type !== 'request' || event === request)
  const about = (tokens: number) => `about ${tokens.toLocaleString('en')} tokens`
  const problem = (text: string, hint: string) => new RecollectError('CONTEXT_TOO_LONG', text, hint)
  if (hasMedia(request) && offered + message < (limit ?? 0) / 2)
    return problem(
      `What is attached to your message is longer than ${request.model} can read: ${said}`,
      'Attach less, or choose a model that reads more.',
    )
  if (offered > message && (isFirst || offered > (limit ?? 0) / 2))
    return problem(
      `The ${tools.length} tools that are offered take ${about(offered)}, more than ${reads} besides your message: ${said}`,
      'Switch servers off in mcp-servers.json, ask without tools (--no-tools), or choose a model that reads more.',
    )
  if (isFirst || message > (limit ?? 0) / 2)
    return problem(
      `Your message has ${about(message)}, more than ${reads}: ${said}`,
      'Shorten it, attach less, or choose a model that reads more.',
    )
  return problem(
    `The chat has become longer than ${request.model} can read: ${said}`,
    'Start a new chat, or choose a model with a larger context.',
  )
}

/** The same where it is bytes that are too many. */
export function tooLarge({ provider }: Load, said: string): RecollectError {
  return new RecollectError(
    'CONTEXT_TOO_LONG',
    `The request is larger than ${provider.name} takes: ${said}`,
    'Attach less, or smaller pictures and files. Of those attached earlier, a new chat is free.',
  )
}

/** By what the provider counted last, where it did, and what came since; else by the length of the texts. */
export function estimated(load: Load, byText = false): number {
  const { log, instructions, tools } = load
  const { events } = log
  const last = events.findLastIndex((event) => event.type === 'answer' && event.usage?.input !== undefined)
  const compacted = events.findLastIndex((event) => event.type === 'compacted')
  const answer = events[last]
  if (!byText && answer?.type === 'answer' && last > compacted) {
    const since = events.slice(last + 1)
    return (answer.usage?.input ?? 0) + (answer.usage?.output ?? 0) + sum(since)
  }
  const { summary, kept, isShort } = compactedIn(events)
  const said = kept.map((event) =>
    event.type === 'result' && isShort(event) ? { ...event, text: event.text.slice(0, SHORT) } : event,
  )
  return tokensIn(instructions) + tokensIn(JSON.stringify(tools)) + tokensIn(summary ?? '') + sum(said)
}

function sum(events: RunEvent[]): number {
  return events.reduce((total, event) => total + tokensOf(event), 0)
}

function tokensOf(event: RunEvent): number {
  switch (event.type) {
    case 'request':
      return (event.attachments ?? []).reduce(
        (total, { text }) => total + (text === undefined ? PICTURE_TOKENS : tokensIn(text)),
        tokensIn(event.text),
      )
    case 'answer':
      return tokensIn(event.content ? JSON.stringify(event.content) : event.text)
    case 'result':
      return tokensIn(event.text)
    default:
      return 0
  }
}

/** What tools gave in earlier rounds; in the last one too where nothing else helps. */
function shorten({ log }: Load, isAll: boolean): void {
  const { summary, upTo, shortened } = compactedIn(log.events)
  const rounds = roundsIn(log.events).filter((entry): entry is Round => 'answer' in entry)
  const long = (isAll ? rounds : rounds.slice(0, -1))
    .flatMap(({ results }) => [...results.values()])
    .filter(({ text, callId }) => text.length > 2 * SHORT && !shortened.has(callId))
    .map(({ callId }) => callId)
  if (long.length > 0)
    log.append({ type: 'compacted', text: summary ?? '', upTo, shortened: [...shortened, ...long] })
}

/** All that was said before this turn. */
async function putInShort({ log, request, summarize }: Load, room: number): Promise<void> {
  const { kept, summary, shortened } = compactedIn(log.events)
  const at = kept.findIndex((event) => event.type === 'request' && event.id === request.id && !event.given)
  const earlier = kept.slice(0, Math.max(0, at))
  if (!earlier.some(({ type }) => type === 'answer')) return
  const most = Math.max(1_000, room * 2)
  const told = transcriptOf(earlier, summary)
  const text = told.length > most ? `${told.slice(0, most / 3)}\n[…]\n${told.slice(-most / 2)}` : told
  const short = await summarize(text).catch(() => undefined)
  log.append({
    type: 'compacted',
    text: short?.text || outlineOf(earlier, summary, Math.max(500, room)),
    upTo: request.id,
    shortened: [...shortened],
    usage: short?.usage,
  })
}

function transcriptOf(events: RunEvent[], summary: string | undefined): string {
  const lines = events.flatMap((event) => {
    if (event.type === 'request') return [`User: ${event.text}`]
    if (event.type === 'answer') return event.text ? [`Assistant: ${event.text}`] : []
    return event.type === 'result' ? [`Result of ${event.tool}: ${event.text.slice(0, SHORT)}`] : []
  })
  return [...(summary ? [`Summary of what came before: ${summary}`] : []), ...lines].join('\n\n')
}

/** Without a model: what was asked, and how each answer began. */
function outlineOf(events: RunEvent[], summary: string | undefined, most: number): string {
  const lines = events.flatMap((event) => {
    if (event.type === 'request') return [`- The user asked: ${event.text.slice(0, 300)}`]
    return event.type === 'answer' && event.text ? [`  You answered: ${event.text.slice(0, 300)}`] : []
  })
  return [summary ?? '', ...lines].join('\n').slice(-most).toWellFormed()
}
