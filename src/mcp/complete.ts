import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import type { Archive } from '../archive/archive.ts'

const MOST = 100

/** Completes ids of chats in resource templates, the newest first. */
export async function complete(
  archive: Archive,
  { ref, argument }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const values = ref.type === 'ref/resource' ? await completed(archive, argument.name, argument.value) : []
  return { completion: { values: values.slice(0, MOST), hasMore: values.length > MOST } }
}

async function completed(archive: Archive, name: string, begun: string): Promise<string[]> {
  if (name === 'sessionId') {
    const chats = begun
      ? await archive.chatsBegunWith(begun, MOST + 1)
      : await archive.listChats({}, { limit: MOST + 1 })
    return [...new Set(chats.map((chat) => chat.id))]
  }
  if (name === 'source') {
    const { sources } = await archive.overview()
    return sources.map(({ source }) => source).filter((source) => source.startsWith(begun))
  }
  return []
}
