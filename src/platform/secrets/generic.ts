import { bitsIn, isMixedCase, looksDrawn } from './chance.ts'
import { beginsAt } from './edges.ts'
import type { Rule, Span } from './span.ts'

/**
 * Keys of makers that no row knows: a short word, `_` or `-`, and many characters drawn by lot.
 * Ids have that form too, so what is known for one is left alone.
 */
export const GENERIC: Rule[] = ['_', '-'].map((literal) => ({ literal, find: unknownKey }))

const MOST = 400
const LEAST = 28
/** Behind a word that says that a key follows. */
const LEAST_TOLD = 20
const LONGEST_WORD = 12
const KEY = /^((?:[A-Za-z][A-Za-z0-9]{1,11}[_-]){1,3})([A-Za-z0-9]{20,}(?:[_-][A-Za-z0-9]{4,})*)$/
/** With `_` and `-` among what was drawn. */
const LOOSE_KEY = /^((?:[A-Za-z][A-Za-z0-9]{1,11}[_-]){1,2}?)([A-Za-z0-9_-]{28,})$/
/** Ids of things, which say nothing without a key. */
const IDS =
  /^(?:req|request|msg|message|toolu|tool|call|chatcmpl|cmpl|resp|run|thread|asst|asmt|file|evt|event|cus|in|price|prod|pi|pm|seti|si|sub|ch|txn|acct|card|src|tok|link|user|usr|org|team|proj|project|session|sess|ses|prt|item|batch|job|task|trace|span|step|vs|ft|ftjob|img|image|layer|node|cache|css|sha\d*|md5|hash|build|deploy|dpl|pkg|chunk|index|vendor|bundle|assets?|page|doc|ami|vpc|subnet|sg|snap|vol|eni|rtb|igw|nat|i|arn|pod|replicaset|uuid|guid|ulid|nanoid|id|key|v\d+|rs|fc|ws|ig|mcp|srvtoolu|web|data|checkpoint|conv|conversation|chat|rec|app|client|pk|publishable|anon|commit|branch|tag|ref|blob|tree|turn|env|npm|modules)$/i
/** Words of a prefix that say that a key follows, even one of digits and a to f only. */
const TELLS =
  /(?:^|[_-])(?:sk|pat|secret|token|tok|api|key|apikey|live|prod|priv|private|access|auth|svc|service|at|rt|st|srv)[_-]$/i

function unknownKey(text: string, at: number, to: number): Span | undefined {
  if (!isPart(text.charCodeAt(to + LEAST_TOLD - 1)) || !isPart(text.charCodeAt(to + LEAST_TOLD / 2)))
    return undefined
  // Looked at once for a run: at its first sign, which comes soon.
  let from = at
  while (from > 0 && isLetterOrDigit(text.charCodeAt(from - 1)))
    if (at - --from > LONGEST_WORD) return undefined
  if (from === at || isPart(text.charCodeAt(from - 1)) || !beginsAt(text, from)) return undefined
  let end = to
  let drawn = 0
  for (let code = text.charCodeAt(end); end - from < MOST && isPart(code); code = text.charCodeAt(++end))
    if (code < 91 && code !== 45) drawn++
  // Nothing large and no digit: words with dashes between them.
  if (drawn < 3 || end - to < LEAST_TOLD || end - from >= MOST || '/=+.'.includes(text.charAt(end) || ' '))
    return undefined
  return isKey(text.slice(from, end)) ? { from, to: end, kind: 'API key' } : undefined
}

function isKey(run: string): boolean {
  const strict = KEY.exec(run)
  const [, prefix, drawn] = strict ?? LOOSE_KEY.exec(run) ?? []
  if (!prefix || !drawn) return false
  const isTold = TELLS.test(prefix)
  if (!isTold && (!strict || drawn.length < LEAST || /^[0-9a-f_-]+$/.test(drawn))) return false
  if (!isTold && prefix.split(/[_-]/).some((word) => IDS.test(word))) return false
  if (!looksDrawn(drawn) || bitsIn(drawn) < (strict ? 3.5 : 4.2)) return false
  if (!strict && (drawn.match(/[A-Z]/g)?.length ?? 0) < 3) return false
  return (drawn.match(/\d/g)?.length ?? 0) >= 3 || isMixedCase(drawn)
}

function isPart(code: number): boolean {
  return isLetterOrDigit(code) || code === 95 || code === 45
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
