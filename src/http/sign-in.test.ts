import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { accessOf } from './access.ts'
import { opening, signInFirst } from './opening.ts'
import { SignIn } from './sign-in.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-sign-in-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

const MINUTE = 60_000
const DAY = 86_400_000
let now = Date.parse('2026-05-01T12:00:00Z')
const signIn = new SignIn(folder, () => now)

function asked(host = '127.0.0.1:3939', headers: Record<string, string> = {}): Request {
  return new Request(`http://${host}/`, { headers: { host, ...headers } })
}

function withCookie(header: string, host?: string, proof = ''): Request {
  return asked(host, { cookie: `a=b; ${header.replace(/;.*/, '')}`, 'x-recollect': proof })
}

test('a code is good once', () => {
  const code = signIn.code()
  assert.equal(signIn.redeem(code), true)
  assert.equal(signIn.redeem(code), false)
  assert.equal(signIn.redeem('another'), false)
})

test('a code is good for ten minutes', () => {
  const [early, late] = [signIn.code(), signIn.code()]
  now += 10 * MINUTE - 1
  assert.equal(signIn.redeem(early), true)
  now += 1
  assert.equal(signIn.redeem(late), false)
})

test('a cookie is good for 30 days, by whichever process it was made', () => {
  const header = signIn.session(asked(), { secure: false }).cookie
  assert.match(header, /^recollect-3939=[\w.-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/)
  assert.match(signIn.session(asked(), { secure: true }).cookie, /; Secure$/)
  const other = new SignIn(folder, () => now + 30 * DAY - 1)
  assert.match(String(other.owner(withCookie(header))), /^page /)
  assert.equal(new SignIn(folder, () => now + 30 * DAY).owner(withCookie(header)), undefined)
})

test('a cookie of another archive is none', () => {
  const other = new SignIn(path.join(folder, 'other'), () => now)
  assert.equal(signIn.owner(withCookie(other.session(asked(), { secure: false }).cookie)), undefined)
})

test('cookie and proof belong together, and to one address', () => {
  const [mine, second] = [
    signIn.session(asked(), { secure: false }),
    signIn.session(asked(), { secure: false }),
  ]
  assert.equal(signIn.isProven(withCookie(mine.cookie, undefined, mine.proof)), true)
  for (const proof of ['', '1', second.proof, `${mine.proof}x`])
    assert.equal(signIn.isProven(withCookie(mine.cookie, undefined, proof)), false, proof)
  const elsewhere = '127.0.0.1:4000'
  assert.equal(signIn.owner(withCookie(mine.cookie, elsewhere)), undefined)
  const renamed = mine.cookie.replace('recollect-3939', 'recollect-4000')
  assert.equal(signIn.owner(withCookie(renamed, elsewhere)), undefined)
  assert.equal(signIn.isProven(withCookie(renamed, elsewhere, mine.proof)), false)
})

test('a program that previews the link leaves it to the person', () => {
  const way = accessOf(signIn, { folder, local: true })
  const code = signIn.code()
  const visit = (method: string) =>
    opening(
      new Request(`http://127.0.0.1/open?code=${code}`, { method, headers: { host: '127.0.0.1' } }),
      '127.0.0.1',
      way,
      signIn,
    )
  assert.equal(visit('HEAD').status, 204)
  const opened = visit('GET')
  assert.equal(opened.status, 303)
  assert.match(String(opened.headers.get('location')), /^\/#proof=[\w-]{43}$/)
  assert.match(String(opened.headers.get('set-cookie')), /^recollect=/)
  assert.equal(visit('GET').status, 401)
})

test('who comes from another site is asked once more, with the cookie then', async () => {
  const refusal = accessOf(signIn, { folder, local: true }).letIn(
    new Request('http://127.0.0.1/', { headers: { host: '127.0.0.1' } }),
    '127.0.0.1',
    '/',
  )
  assert.ok('status' in refusal)
  const from = (site: string) =>
    signInFirst(
      new Request('http://127.0.0.1/', { headers: { 'sec-fetch-site': site, 'sec-fetch-dest': 'document' } }),
      refusal,
    ).text()
  assert.match(await from('cross-site'), /http-equiv="refresh"/)
  assert.doesNotMatch(await from('same-origin'), /http-equiv="refresh"/)
})
