import { useState } from 'react'
import { Link } from 'wouter'
import { chatPath } from '../../lib/route.ts'
import type { SeveralChats } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { marksIn, type Told } from './align.ts'
import { words } from './words.ts'

const LONG = 1_500
const SHOWN = 1_000

export type Meta = SeveralChats['meta'][number]

interface MessageProps {
  message: Told
  chat: Meta | undefined
  /** Passages that stand in other chats too. */
  passages?: { content: string; number: number }[]
}

/** What was said, as it was written: here it is compared, not read. */
export function Message({ message, chat, passages = [] }: MessageProps) {
  const say = useWords(words)
  const [open, setOpen] = useState(false)
  const calls = message.tools?.calls?.length ?? 0
  const shown =
    open || message.content.length <= LONG ? message.content : `${message.content.slice(0, SHOWN)}…`
  return (
    <article className={`compare-message compare-${message.role}`}>
      <header>
        <strong>{useRoleName()(message.role)}</strong>
        {chat && (
          <Link href={chatPath(chat.source, chat.id, message.index)}>
            <Time at={message.createdAt} as="clock" />
            {` #${message.index}`}
          </Link>
        )}
        {calls > 0 && <span className="faint">{say.tools(calls)}</span>}
      </header>
      {shown !== '' && <p>{marked(shown, passages, say.passage)}</p>}
      {shown !== message.content && (
        <Button look="quiet" onClick={() => setOpen(true)}>
          {say.more}
        </Button>
      )}
    </article>
  )
}

export function useRoleName(): (role: string) => string {
  const { person, assistant, tool, system } = useWords(words)
  return (role) =>
    role === 'user' ? person : role === 'assistant' ? assistant : role === 'tool' ? tool : system
}

function marked(
  text: string,
  passages: { content: string; number: number }[],
  nameOf: (number: number) => string,
) {
  const parts = []
  let at = 0
  for (const { from, to, number } of marksIn(text, passages)) {
    parts.push(text.slice(at, from))
    parts.push(
      <mark key={from} title={nameOf(number)}>
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  parts.push(text.slice(at))
  return parts
}
