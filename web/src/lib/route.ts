import { useCallback } from 'react'
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'

/** What was searched for, and how its words were taken. */
export interface Sought {
  q: string
  fuzzy?: boolean
  expand?: boolean
}

/** As an address says it. */
export function soughtIn(params: URLSearchParams): Sought {
  return { q: params.get('q') ?? '', fuzzy: params.has('fuzzy'), expand: params.has('expand') }
}

export function soughtParams({ q, fuzzy, expand }: Sought): Params {
  return q.trim() === '' ? {} : { q: q.trim(), fuzzy, expand }
}

/** The address of a chat, or of one message in it; with what was searched for, so that it is marked there. */
export function chatPath(source: string, id: string, message?: number, sought: Sought = { q: '' }): string {
  const path = pathWith(`/chat/${segment(`${source}:${id}`)}`, soughtParams(sought))
  return message === undefined ? path : `${path}#m${message}`
}

/** Which chat the address names. */
export function useChatInPath(): string {
  const [, , given = ''] = usePathname().split('/')
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}

/** A REST path below the chat: `chatApi(id, 'messages')`. */
export function chatApi(chat: string, below?: string): string {
  return `chats/${segment(chat)}${below ? `/${below}` : ''}`
}

/** An address with these parameters; those without a value are left out. */
export function pathWith(path: string, params: Params): string {
  const search = searchOf(new URLSearchParams(), params)
  return search ? `${path}?${search}` : path
}

export type Params = Record<string, string | string[] | boolean | undefined>

/**
 * What the page shows is in its address, so that a link, a reload and the back button give the
 * same page. `change` replaces the entry in the browser's history, as for typing; with `push` it
 * adds one, as for a step somebody would want to go back from.
 */
export function useUrlState(): {
  params: URLSearchParams
  change: (changes: Params, options?: { push?: boolean }) => void
} {
  // As it stands in the address: wouter's own hook takes escapes apart, and they would be taken apart again.
  const search = useSearch()
  const change = useCallback((changes: Params, { push = false } = {}) => {
    const next = searchOf(new URLSearchParams(location.search), changes)
    if (next === location.search.slice(1)) return
    navigate(`${location.pathname}${next ? `?${next}` : ''}${location.hash}`, { replace: !push })
  }, [])
  return { params: new URLSearchParams(search), change }
}

function searchOf(params: URLSearchParams, changes: Params): string {
  for (const [name, value] of Object.entries(changes)) {
    params.delete(name)
    if (value === undefined || value === false || value === '') continue
    for (const each of Array.isArray(value) ? value : [value === true ? '1' : value])
      params.append(name, each)
  }
  return params.toString().replaceAll('%3A', ':').replaceAll('%2F', '/')
}

/** Colons read well in an address and need no escape. */
function segment(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%40', '@')
}
