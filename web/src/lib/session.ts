import { recall, remember } from './stored.ts'

/**
 * What shows the server that it is this page that asks, and not one on another port of the same host,
 * which is sent the same cookies. The link that signs in hands it over behind the `#`; it is kept in
 * the storage of this origin.
 */
let known = recall('proof') ?? ''

export function proof(): string {
  return known
}

/** Takes it out of the address, before anything else is asked or shown. */
function takeProof(): void {
  const handed = /^#proof=([\w-]{43})$/.exec(location.hash)?.[1]
  if (!handed) return
  known = handed
  remember('proof', handed)
  history.replaceState(history.state, '', location.pathname + location.search)
}

takeProof()
