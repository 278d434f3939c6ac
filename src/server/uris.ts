export const CONTEXT_FILE = 'context://current'

export const LISTS = {
  sessions: 'context://sessions',
  cliSessions: 'context://cli-sessions',
  workspaces: 'context://workspaces',
  searches: 'context://searches',
} as const

export const CHAT_TEMPLATE = 'context://sessions/{sessionId}'
export const CHAT_TEXT_TEMPLATE = 'context://sessions/{sessionId}.md'

export function chatUri(id: string): string {
  return `${LISTS.sessions}/${encodeURIComponent(id)}`
}

/** Under all of which a chat can be read. */
export function chatUris(id: string): string[] {
  return [chatUri(id), `${chatUri(id)}.md`]
}

/** Whether a URI reads this chat, also one that has its id shortened or with the assistant's before it. */
export function isOfChat(uri: string, { id, source }: { id: string; source: string }): boolean {
  const { path, chat: named } = parsedUri(uri) ?? {}
  if (path !== LISTS.sessions || named === undefined) return false
  const reference = named.replace(/\.md$/, '')
  const own = reference.startsWith(`${source}:`) ? reference.slice(source.length + 1) : reference
  return own === id || (own.length >= SHORTEST_ID && id.startsWith(own))
}

export const SHORTEST_ID = 4

export function withoutQuery(uri: string): string {
  return uri.replace(/\?.*$/, '')
}

/** What a URI asks for; nothing where it is none of ours. */
export function parsedUri(uri: string): { path: string; chat?: string; query: URLSearchParams } | undefined {
  const found = /^(context:\/\/[a-z-]+)(?:\/([^?#]+))?(?:\?([^#]*))?$/i.exec(uri)
  if (!found) return undefined
  const [, path = '', chat, query = ''] = found
  try {
    return {
      path: path.toLowerCase(),
      ...(chat !== undefined && { chat: decodeURIComponent(chat) }),
      query: new URLSearchParams(query),
    }
  } catch {
    return undefined
  }
}
