import { recollect } from '../src/client/client.ts'

/** What docs/rest.md shows: the newest chats about something, with what was asked first in each. */
export async function asked(url: string, token: string, query: string): Promise<string[]> {
  const archive = recollect({ url, token })
  const { results } = await archive.search_conversations({ query, limit_chats: 3 })
  const lines: string[] = []
  for (const { chatId, title, source } of results) {
    const { firstRequest = '' } = await archive.get_first_request({ sessionId: `${source}:${chatId}` })
    lines.push(`${title}: ${firstRequest}`)
  }
  return lines
}
