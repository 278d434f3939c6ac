import { useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { get } from '../../lib/api.ts'
import { chatApi } from '../../lib/route.ts'
import type { ChatDetails, MessagePage, ShownMessage } from '../../lib/types.ts'
import { UnfoldedContext } from '../../ui/long-lines.ts'
import { toast } from '../../ui/toast.tsx'
import { Message } from './message.tsx'
import { isHidden, rowsOf } from './rows.ts'
import { loadedOf } from './use-messages.ts'
import { wholeMessage } from './whole-message.ts'

const AT_ONCE = 200
const NONE: ReadonlySet<number> = new Set()

/** Prints a chat: all of it, not only what is in sight. */
export function usePrint(chat: string, details: ChatDetails, focus: number[] | undefined) {
  const [messages, setMessages] = useState<ShownMessage[]>()
  const print = async () => {
    try {
      const all: ShownMessage[] = []
      for (let from = 0; from < details.chat.messageCount; from += AT_ONCE) {
        const page = await get<MessagePage>(chatApi(chat, 'messages'), { from, to: from + AT_ONCE - 1 })
        // What tools gave stays folded on paper.
        for (const message of page.messages)
          all.push(
            message.cut && message.text !== '' ? await wholeMessage(chat, message.index, false) : message,
          )
      }
      setMessages(all)
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
  }
  useEffect(() => {
    if (!messages) return
    const done = () => setMessages(undefined)
    addEventListener('afterprint', done)
    // Once it is drawn.
    const soon = requestAnimationFrame(() => requestAnimationFrame(() => window.print()))
    return () => {
      removeEventListener('afterprint', done)
      cancelAnimationFrame(soon)
    }
  }, [messages])
  const sheet = messages && <Sheet details={details} messages={messages} focus={focus} />
  return { print: () => void print(), sheet }
}

interface SheetProps {
  details: ChatDetails
  messages: ShownMessage[]
  focus: number[] | undefined
}

/** Beside the page: only paper shows it. */
function Sheet({ details, messages, focus }: SheetProps) {
  const rows = useMemo(() => rowsOf(loadedOf([{ data: { messages } }]), NONE), [messages])
  const { title, sourceName, workspace, createdAt } = details.chat
  const shown = messages.filter((message) =>
    focus ? focus.includes(message.index) : !isHidden(message) && !rows.isElsewhere(message.index),
  )
  return createPortal(
    <div className="sheet">
      <h1>{title}</h1>
      <p>
        {[sourceName, workspace, createdAt && new Date(createdAt).toLocaleString()]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <UnfoldedContext value={true}>
        {shown.map((message) => (
          <Message
            key={message.index}
            message={message}
            isFirst={focus !== undefined || rows.isFirst(message.index)}
            isFocused={focus !== undefined}
            resultOf={rows.resultOf}
            folder={workspace}
            find={undefined}
            allOpen={false}
            onWhole={() => {}}
          />
        ))}
      </UnfoldedContext>
    </div>,
    document.body,
  )
}
