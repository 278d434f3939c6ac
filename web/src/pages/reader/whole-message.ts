import { get } from '../../lib/api.ts'
import { chatApi } from '../../lib/route.ts'
import type { ShownMessage } from '../../lib/types.ts'

/** One message in full: in the pages of a chat, long texts are cut. */
export async function wholeMessage(
  chat: string,
  index: number,
  reveal: boolean,
  signal?: AbortSignal,
): Promise<ShownMessage> {
  const asked = { reveal: reveal || undefined }
  const { message } = await get<{ message: ShownMessage }>(chatApi(chat, `messages/${index}`), asked, signal)
  return message
}
