import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { chatPath } from '../../lib/route.ts'
import type { SeveralChats } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Inline, type Mark } from '../../ui/inline.tsx'
import { Time } from '../../ui/time.tsx'
import { type ComparedMessage, marksIn, type Passage, passagesIn } from './align.ts'
import { words } from './words.ts'

const LONG = 1_500
const SHOWN = 1_000

export type Meta = SeveralChats['meta'][number]

interface MessageProps {
  message: ComparedMessage
  chat: Meta | undefined
  /** What the chats have in common. */
  common?: Passage[]
  /** What was searched for: a message that holds it is shown whole. */
  find?: RegExp
}

/** What was said, as it was written: here it is compared, not read. */
export function Message({ message, chat, common, find }: MessageProps) {
  const say = useWords(words)
  const [open, setOpen] = useState(false)
  const calls = message.tools?.calls?.length ?? 0
  const isWhole =
    open || message.content.length <= LONG || (find !== undefined && message.content.search(find) >= SHOWN)
  const shown = isWhole ? message.content : `${message.content.slice(0, SHOWN)}…`
  const marks = useMemo(
    () =>
      marksIn(shown, passagesIn(common, message)).map(
        ({ from, to, number }): Mark => [from, to, say.passage(number)],
      ),
    [shown, common, message, say],
  )
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
      {shown !== '' && (
        <p>
          <Inline text={shown} marks={marks} />
        </p>
      )}
      {!isWhole && (
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
