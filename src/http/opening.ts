import { createHash } from 'node:crypto'
import type { Refusal } from '../server/guard.ts'
import { bodyOf } from '../server/listen.ts'
import type { Access } from './access.ts'
import { type OpeningWords, openingWords } from './opening-words.ts'
import type { SignIn } from './sign-in.ts'

/** The link that `serve` printed: good once, it gives the browser its cookie, and the page its proof: behind a `#`, which no server is sent. */
export function opening(request: Request, address: string, { guard }: Access, signIn: SignIn): Response {
  const words = openingWords(request)
  const wrong = guard.wrongPlace(request)
  if (wrong) return note(words, wrong.status, words.wrongPlace, wrong.message)
  const { searchParams, protocol } = new URL(request.url)
  // Programs that preview links ask so; the code is kept for the person.
  if (request.method === 'HEAD') return new Response(null, { status: 204 })
  if (!guard.mayGuess(address)) return note(words, 429, words.tooMany, words.waitAMinute)
  if (signIn.redeem(searchParams.get('code') ?? '')) {
    const { cookie, proof } = signIn.session(request, { secure: protocol === 'https:' })
    return toPage(`#proof=${proof}`, { 'set-cookie': cookie })
  }
  if (signIn.owner(request)) return toPage()
  guard.guessedWrong(address)
  return note(words, 401, words.usedLink, `${words.onceEach} ${words.how}`)
}

/** Somebody shows a token for spaces, and gets a cookie that is good as long as the token is. */
export async function signingIn(
  request: Request,
  address: string,
  access: Access,
  signIn: SignIn,
): Promise<Response> {
  const { guard } = access
  const words = openingWords(request)
  const wrong = guard.wrongPlace(request)
  if (wrong) return note(words, wrong.status, words.wrongPlace, wrong.message)
  if (!guard.mayGuess(address)) return note(words, 429, words.tooMany, words.waitAMinute)
  const given = new URLSearchParams((await bodyOf(request)) ?? '').get('token')?.trim() ?? ''
  const guest = access.guestOf(given.slice(0, 512))
  if (guest === undefined) {
    guard.guessedWrong(address)
    return note(words, 401, words.wrongToken, words.askForToken, { after: form(words) })
  }
  const { cookie, proof } = signIn.session(request, { secure: isSecure(request), guest })
  return toPage(`#proof=${proof}`, { 'set-cookie': cookie })
}

/** Also where something in front of us does TLS. */
function isSecure(request: Request): boolean {
  return new URL(request.url).protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https'
}

function form({ token, signIn }: OpeningWords): string {
  return `<form method="post" action="/open"><p><label>${token} <input name="token" type="password" autocomplete="off" required></label> <button>${signIn}</button></p></form>`
}

/** What somebody without a cookie sees instead of the page. */
export function signInFirst(
  request: Request,
  { status, message, headers }: Refusal,
  { guests = false } = {},
): Response {
  const words = openingWords(request)
  if (status !== 401) return note(words, status, words.notLetIn, escaped(message))
  // A browser leaves the cookie out where a link of another site led here; from this page on it does not.
  const again =
    request.headers.get('sec-fetch-site') === 'cross-site' && request.headers.has('sec-fetch-dest')
  if (guests) return note(words, 401, words.signIn, words.withToken, { headers, again, after: form(words) })
  return note(words, 401, words.openLink, `${words.forThirtyDays} ${words.how}`, { headers, again })
}

function toPage(hash = '', headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: `/${hash}`, 'cache-control': 'no-store', ...headers },
  })
}

const STYLE = `html{background:Canvas;color:CanvasText}body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}
h1{font-size:1.4rem;line-height:1.3}code{background:#8883;padding:.1em .35em;border-radius:.3em}
input,button{font:inherit;padding:.35em .6em;max-width:100%;box-sizing:border-box}
form p{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}`
/** These pages need nothing but their own style. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

interface NoteOptions {
  headers?: Record<string, string>
  /** Whether the browser asks once more by itself. */
  again?: boolean
  /** What follows the text. */
  after?: string
}

function note(
  { language }: OpeningWords,
  status: number,
  title: string,
  text: string,
  { headers = {}, again = false, after = '' }: NoteOptions = {},
): Response {
  const refresh = again ? '<meta http-equiv="refresh" content="0">' : ''
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">${refresh}<title>${title.replace(/<[^>]+>/g, '')} · Recollect</title><style>${STYLE}</style>
<main><h1>${title}</h1><p>${text}</p>${after}</main></html>
`
  return new Response(html, {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      // Without any, a browser sends its form from the origin "null", which is let in nowhere.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  })
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
