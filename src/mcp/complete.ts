import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import type { Reader } from '../service/reader.ts'

const MOST = 100

/** Completes ids of chats in resource templates, the newest first. */
export async function complete(
  reader: Reader,
  { ref, argument }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const values = ref.type === 'ref/resource' ? await completed(reader, argument.name, argument.value) : []
  return { completion: { values: values.slice(0, MOST), hasMore: values.length > MOST } }
}

async function completed(reader: Reader, name: string, begun: string): Promise<string[]> {
  if (name === 'sessionId') {
    const chats = begun
      ? await reader.begunWith(begun, MOST + 1)
      : await reader.chats({}, { limit: MOST + 1 })
    return await reader.namesOf(chats)
  }
  if (name === 'source') {
    return (await reader.sources()).filter((source) => source.startsWith(begun))
  }
  return []
}
