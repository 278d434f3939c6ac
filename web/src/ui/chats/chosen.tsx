import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { get } from '../../lib/api.ts'
import { chatApi, chatPath } from '../../lib/route.ts'
import type { ChatDetails } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../badge.tsx'
import { Button, IconButton } from '../button.tsx'
import { ChatPicker } from './picker.tsx'
import { words } from './words.ts'

interface ChosenProps {
  /** `source:id` of each. */
  chats: string[]
  onChange: (chats: string[]) => void
  most: number
}

/** The chats that a page is about, each with a way to leave it out, and a way to add one. */
export function ChosenChats({ chats, onChange, most }: ChosenProps) {
  const say = useWords(words)
  const [picking, setPicking] = useState(false)
  const details = useQueries({
    queries: chats.map((id) => ({
      queryKey: ['list', 'details', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => get<ChatDetails>(chatApi(id), undefined, signal),
    })),
  })
  return (
    <div className="chats-chosen">
      <ul aria-label={say.chosen}>
        {chats.map((id, at) => {
          const chat = details[at]?.data?.chat
          const [source = '', ...rest] = id.split(':')
          const title = chat?.title ?? rest.join(':').slice(0, 8)
          return (
            <li key={id} className="chats-chip">
              <SourceBadge source={source} short />
              <Link className="one-line" href={chatPath(source, rest.join(':'))}>
                {title}
              </Link>
              <IconButton
                icon="close"
                label={say.remove(title)}
                onClick={() => onChange(chats.filter((each) => each !== id))}
              />
            </li>
          )
        })}
      </ul>
      {chats.length < most && (
        <Button look={chats.length === 0 ? 'primary' : 'plain'} onClick={() => setPicking(true)}>
          {say.add}
        </Button>
      )}
      <ChatPicker
        open={picking}
        onClose={() => setPicking(false)}
        chosen={chats}
        onChange={onChange}
        most={most}
      />
    </div>
  )
}
