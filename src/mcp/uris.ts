export const CONTEXT_FILE = 'context://current'

export const LISTS = {
  sessions: 'context://sessions',
  cliSessions: 'context://cli-sessions',
  workspaces: 'context://workspaces',
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
