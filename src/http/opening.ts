import { createHash } from 'node:crypto'
import type { Refusal } from '../server/guard.ts'
import { bodyOf } from '../server/listen.ts'
import type { Door } from './door.ts'
import type { SignIn } from './sign-in.ts'

/** The link that `serve` printed: good once, it gives the browser its cookie, and the page its proof: behind a `#`, which no server is sent. */
export function opening(request: Request, address: string, { guard }: Door, signIn: SignIn): Response {
  const wrong = guard.wrongPlace(request)
  if (wrong) return note(wrong.status, 'This address cannot be used', wrong.message)
  const { searchParams, protocol } = new URL(request.url)
  // Programs that preview links ask so; the code is kept for the person.
  if (request.method === 'HEAD') return new Response(null, { status: 204 })
  if (!guard.mayGuess(address)) return note(429, 'Too many attempts', 'Wait a minute, then try again.')
  if (signIn.redeem(searchParams.get('code') ?? '')) {
    const { cookie, proof } = signIn.session(request, { secure: protocol === 'https:' })
    return toPage(`#proof=${proof}`, { 'set-cookie': cookie })
  }
  if (signIn.owner(request)) return toPage()
  guard.guessedWrong(address)
  return note(
    401,
    'This link was used or is too old',
    `Each link opens the page once, within ten minutes. ${HOW}`,
  )
}

/** Somebody shows a token for spaces, and gets a cookie that is good as long as the token is. */
export async function signingIn(
  request: Request,
  address: string,
  door: Door,
  signIn: SignIn,
): Promise<Response> {
  const { guard } = door
  const wrong = guard.wrongPlace(request)
  if (wrong) return note(wrong.status, 'This address cannot be used', wrong.message)
  if (!guard.mayGuess(address)) return note(429, 'Too many attempts', 'Wait a minute, then try again.')
  const given = new URLSearchParams((await bodyOf(request)) ?? '').get('token')?.trim() ?? ''
  const guest = door.guestOf(given.slice(0, 512))
  if (guest === undefined) {
    guard.guessedWrong(address)
    return note(401, 'That token is not valid', `Ask whoever runs this server for one. ${FORM}`)
  }
  const { cookie, proof } = signIn.session(request, { secure: isSecure(request), guest })
  return toPage(`#proof=${proof}`, { 'set-cookie': cookie })
}

/** Also where something in front of us does TLS. */
function isSecure(request: Request): boolean {
  return new URL(request.url).protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https'
}

const FORM =
  '<form method="post" action="/open"><p><label>Token <input name="token" type="password" autocomplete="off" required></label> <button>Sign in</button></p></form>'

const HOW =
  'Press Enter where <code>recollect serve</code> runs, or start it again, and open the link that it prints.'

/** What somebody without a cookie sees instead of the page. */
export function signInFirst(
  request: Request,
  { status, message, headers }: Refusal,
  { guests = false } = {},
): Response {
  if (status !== 401) return note(status, 'Not let in', escaped(message))
  // A browser leaves the cookie out where a link of another site led here; from this page on it does not.
  const again =
    request.headers.get('sec-fetch-site') === 'cross-site' && request.headers.has('sec-fetch-dest')
  if (guests)
    return note(401, 'Sign in', `With the token that you were given for this server. ${FORM}`, {
      headers,
      again,
    })
  return note(
    401,
    'Open the link that <code>recollect serve</code> printed',
    `It signs this browser in for 30 days. ${HOW}`,
    {
      headers,
      again,
    },
  )
}

function toPage(hash = '', headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: `/${hash}`, 'cache-control': 'no-store', ...headers },
  })
}

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}
h1{font-size:1.4rem;line-height:1.3}code{background:#8883;padding:.1em .35em;border-radius:.3em}`
/** These pages need nothing but their own style. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

function note(
  status: number,
  title: string,
  text: string,
  { headers = {}, again = false }: { headers?: Record<string, string>; again?: boolean } = {},
): Response {
  const refresh = again ? '<meta http-equiv="refresh" content="0">' : ''
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">${refresh}<title>Recollect</title><style>${STYLE}</style>
<h1>${title}</h1><p>${text}</p></html>
`
  return new Response(html, {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    },
  })
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
