import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { post } from '../../lib/api.ts'
import type { ChatList, SearchAnswer } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { Time } from '../time.tsx'
import { words } from './words.ts'
import './chats.css'

interface PickerProps {
  open: boolean
  onClose: () => void
  /** `source:id` of each. */
  chosen: string[]
  onChange: (chosen: string[]) => void
  /** How many may be chosen. */
  most: number
}

const SHOWN = 30

/** Chats to choose from: the newest, or those that a search finds. */
export function ChatPicker({ open, onClose, chosen, onChange, most }: PickerProps) {
  const say = useWords(words)
  const [typed, setTyped] = useState('')
  const { data: chats = [], isPlaceholderData } = useCandidates(useDeferredValue(typed.trim()), open)
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={say.choose}
      wide
      actions={
        <Button look="primary" onClick={onClose}>
          {say.done}
        </Button>
      }
    >
      <Field
        label={say.find}
        hideLabel
        placeholder={say.find}
        type="search"
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ul className="chats-list" aria-busy={isPlaceholderData}>
        {chats.map(({ id, title, source, updatedAt }) => {
          const isChosen = chosen.includes(id)
          return (
            <li key={id}>
              <label className="chats-row">
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= most}
                  onChange={() => toggle(id)}
                />
                <SourceBadge source={source} short />
                <span className="one-line">{title}</span>
                <span className="faint">
                  <Time at={updatedAt} />
                </span>
              </label>
            </li>
          )
        })}
        {chats.length === 0 && <li className="faint">{say.none}</li>}
      </ul>
    </Dialog>
  )
}

interface Candidate {
  id: string
  title: string
  source: string
  updatedAt?: number | null
}

function useCandidates(query: string, enabled: boolean) {
  return useQuery({
    queryKey: ['list', 'candidates', query],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const found =
        query === ''
          ? (await post<ChatList>('list_chats', { limit: SHOWN }, signal)).chats
          : (await post<SearchAnswer>('search_conversations', { query, limit: SHOWN }, signal)).results
      return found.map(({ source, chatId, title, updatedAt }) => ({
        id: `${source}:${chatId}`,
        title,
        source,
        updatedAt,
      }))
    },
  })
}
