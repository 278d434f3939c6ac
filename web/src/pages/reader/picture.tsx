import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { get } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { chatApi } from '../../lib/route.ts'
import type { ShownMessage } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Skeleton } from '../../ui/states.tsx'
import { words } from './words.ts'

/** The chat that is read, `source:id`. */
export const ChatContext = createContext('')

/** What a browser shows and cannot run: a drawing in SVG may hold a script. */
export const PICTURES = /^image\/(png|jpe?g|gif|webp|avif|bmp)$/i

type Attachment = NonNullable<ShownMessage['attachments']>[number]

interface PictureProps {
  attachment: Attachment
  /** The message it is attached to, and which of its attachments it is. */
  at: number
  number: number
}

/** A picture out of the archive: nothing is fetched from elsewhere. A large one is asked for when it comes in sight. */
export function Picture({ attachment, at, number }: PictureProps) {
  const w = useWords(words)
  const format = useFormat()
  const chat = useContext(ChatContext)
  const { name, mimeType = 'image/png', bytes, data: own } = attachment
  const whole = useQuery({
    queryKey: ['chat', chat, 'picture', at, number],
    queryFn: async ({ signal }) => {
      const { message } = await get<{ message: ShownMessage }>(
        chatApi(chat, `messages/${at}`),
        undefined,
        signal,
      )
      return message.attachments?.[number]?.data ?? ''
    },
    enabled: own === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const data = own ?? whole.data
  return (
    <figure className="picture-shown">
      {data ? (
        <img src={`data:${mimeType};base64,${data}`} alt={name === 'image' ? w.picture : name} />
      ) : whole.isSuccess || whole.isError ? (
        <span className="faint">{w.noPicture}</span>
      ) : (
        <Skeleton width="16rem" height="10rem" />
      )}
      <figcaption className="faint">
        {name} {bytes !== undefined && format.bytes(bytes)}
      </figcaption>
    </figure>
  )
}
