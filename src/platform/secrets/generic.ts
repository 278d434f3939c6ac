import { bitsIn, looksDrawn } from './chance.ts'
import { beginsAt } from './edges.ts'
import type { Rule, Span } from './span.ts'

/**
 * Keys of makers that no row knows: a short word, `_` or `-`, and many characters drawn by lot.
 * Ids have that form too, so what is known for one is left alone.
 */
export const GENERIC: Rule[] = ['_', '-'].map((literal) => ({ literal, find: unknownKey }))

const MOST = 400
const LEAST = 28
const LONGEST_WORD = 12
const KEY = /^((?:[A-Za-z][A-Za-z0-9]{1,11}[_-]){1,3})([A-Za-z0-9]{28,}(?:[_-][A-Za-z0-9]{4,})*)$/
/** Ids of things, which say nothing without a key. */
const IDS =
  /^(?:req|request|msg|message|toolu|tool|call|chatcmpl|cmpl|resp|run|thread|asst|asmt|file|evt|event|cus|in|price|prod|pi|pm|seti|si|sub|ch|txn|acct|card|src|tok|link|user|usr|org|team|proj|project|session|sess|ses|prt|item|batch|job|task|trace|span|step|vs|ft|ftjob|img|image|layer|node|cache|css|sha\d*|md5|hash|build|deploy|dpl|pkg|chunk|index|vendor|bundle|assets?|page|doc|ami|vpc|subnet|sg|snap|vol|eni|rtb|igw|nat|i|arn|pod|replicaset|uuid|guid|ulid|nanoid|id|key|v\d+|rs|fc|ws|ig|mcp|srvtoolu|web|data|checkpoint|conv|conversation|chat|rec|app|client|pk|publishable|anon|commit|branch|tag|ref|blob|tree|turn|env|npm|modules)$/i
/** Words of a prefix that say that a key follows, even one of digits and a to f only. */
const TELLS =
  /(?:^|[_-])(?:sk|pat|secret|token|tok|api|key|apikey|live|prod|priv|private|access|auth|svc|service|at|rt|st|srv)[_-]$/i

function unknownKey(text: string, at: number, to: number): Span | undefined {
  if (!isPart(text.charCodeAt(to + LEAST - 1)) || !isPart(text.charCodeAt(to + LEAST / 2))) return undefined
  // Looked at once for a run: at its first sign, which comes soon.
  let from = at
  while (from > 0 && isLetterOrDigit(text.charCodeAt(from - 1)))
    if (at - --from > LONGEST_WORD) return undefined
  if (from === at || isPart(text.charCodeAt(from - 1)) || !beginsAt(text, from)) return undefined
  let end = to + LEAST
  while (end - from < MOST && isPart(text.charCodeAt(end))) end++
  if (end - from >= MOST || /[/=+.]/.test(text.charAt(end))) return undefined
  const [, prefix, drawn] = KEY.exec(text.slice(from, end)) ?? []
  if (!prefix || !drawn || !looksDrawn(drawn) || bitsIn(drawn) < 3.5) return undefined
  if (prefix.split(/[_-]/).some((word) => IDS.test(word)) && !TELLS.test(prefix)) return undefined
  if ((drawn.match(/\d/g)?.length ?? 0) < 3) return undefined
  if (/^[0-9a-f_-]+$/.test(drawn) && !TELLS.test(prefix)) return undefined
  return { from, to: end, kind: 'API key' }
}

function isPart(code: number): boolean {
  return isLetterOrDigit(code) || code === 95 || code === 45
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
