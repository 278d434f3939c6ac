import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { RecollectError } from '../model/errors.ts'
import { changeSmallFile, textOf } from '../platform/change-file.ts'
import { guardSecrets } from '../platform/redact.ts'

interface Kept {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  /** What the client was registered with. */
  redirect?: string
}

/** A person has to sign in first, in a browser. */
export class LoginNeeded extends Error {}

/**
 * Signs in to one MCP server, as the SDK wants it. What was granted is kept in a file that only its owner can read. Where
 * nobody sits at a browser, `open` is missing, and a server that wants a sign-in says so.
 */
export class OAuthKeeper implements OAuthClientProvider {
  readonly #file: string
  readonly #server: string
  readonly #open: ((url: URL) => void) | undefined
  readonly #redirect: string | undefined
  readonly #state = randomBytes(16).toString('hex')
  // Of the sign-in that this one began, and of no other's: they are not in the file.
  #verifier: string | undefined
  #discovered: OAuthDiscoveryState | undefined
  /** What this one was given last, or has saved: that is what a server refuses, whatever the file holds by now. */
  #used: Kept = {}

  constructor(folder: string, serverUrl: string, login?: { redirect: string; open(url: URL): void }) {
    this.#file = path.join(folder, 'mcp-oauth.json')
    this.#server = createHash('sha256').update(serverUrl).digest('hex').slice(0, 24)
    this.#open = login?.open
    this.#redirect = login?.redirect
    // Registered for another address, it would be refused.
    if (login && this.#kept().redirect !== login.redirect) this.#change(() => ({ redirect: login.redirect }))
  }

  get redirectUrl(): string {
    return this.#redirect ?? this.#kept().redirect ?? 'http://127.0.0.1/callback'
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Recollect',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state(): string {
    return this.#state
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { client } = this.#kept()
    // Without a browser nobody is registered, which would take the place of a sign-in that is under way elsewhere.
    if (!client && !this.#open) throw new LoginNeeded('It wants you to sign in first.')
    this.#used.client = client
    return client
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#used.client = client
    this.#change((kept) => ({ ...kept, client }))
  }

  tokens(): StoredOAuthTokens | undefined {
    const { tokens } = this.#kept()
    guardSecrets([tokens?.access_token, tokens?.refresh_token])
    this.#used.tokens = tokens
    return tokens
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    guardSecrets([tokens.access_token, tokens.refresh_token])
    this.#used.tokens = tokens
    this.#change((kept) => ({ ...kept, tokens }))
  }

  redirectToAuthorization(url: URL): void {
    if (!this.#open) throw new LoginNeeded('It wants you to sign in first.')
    this.#open(url)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    if (this.#verifier) return this.#verifier
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'No sign-in is under way.',
      'Begin again: recollect mcp-servers login.',
    )
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all') this.#change(({ redirect }) => ({ redirect }))
    if (scope === 'all' || scope === 'verifier') this.#verifier = undefined
    if (scope === 'all' || scope === 'discovery') this.#discovered = undefined
    if (scope === 'client' || scope === 'tokens') this.#drop(scope)
  }

  /** Another process may have renewed it meanwhile: then it is that one's. */
  #drop(what: 'client' | 'tokens'): void {
    const used = JSON.stringify(this.#used[what])
    this.#change((kept) => (JSON.stringify(kept[what]) === used ? { ...kept, [what]: undefined } : kept))
  }

  #kept(): Kept {
    return allIn(textOf(this.#file))[this.#server] ?? {}
  }

  #change(changed: (kept: Kept) => Kept): void {
    changeSmallFile(this.#file, (text) => {
      const all = allIn(text)
      return `${JSON.stringify({ ...all, [this.#server]: changed(all[this.#server] ?? {}) }, null, 2)}\n`
    })
  }
}

function allIn(text: string | undefined): Record<string, Kept> {
  if (text === undefined) return {}
  try {
    return JSON.parse(text) as Record<string, Kept>
  } catch {
    // What was granted can be granted again.
    return {}
  }
}

/** Waits on this machine for the browser to come back from the sign-in. */
export async function callbackServer(): Promise<{
  redirect: string
  params(signal: AbortSignal): Promise<URLSearchParams>
  close(): void
}> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname !== '/callback') {
      response.writeHead(404).end()
      return
    }
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end(
        url.searchParams.has('code')
          ? 'You are signed in. This window can be closed.'
          : 'The sign-in was refused.',
      )
    resolve(url.searchParams)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    redirect: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    params: (signal) =>
      Promise.race([
        promise,
        new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
      ]),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
