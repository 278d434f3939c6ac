import { useMutation, useQueryClient } from '@tanstack/react-query'
import { put } from '../lib/api.ts'
import { chatApi } from '../lib/route.ts'
import { useWords } from '../lib/words.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { toast } from './toast.tsx'
import { words } from './words.ts'
import './star.css'

/** That a chat is starred. */
export function Starred() {
  const { starred } = useWords(words)
  return (
    <span className="starred" role="img" aria-label={starred} title={starred}>
      <Icon name="star" />
    </span>
  )
}

/** Stars chats, or takes the star away: kept in the archive, where every face sees it. */
export function useStar() {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: async ({ chats, pinned }: { chats: string[]; pinned: boolean }) => {
      for (const chat of chats) await put(chatApi(chat, 'notes'), { pinned })
    },
    onError: ({ message }) => toast(message),
    onSettled: (_, __, { chats }) => {
      for (const chat of chats) void queries.invalidateQueries({ queryKey: ['chat', chat], exact: true })
      void queries.invalidateQueries({ queryKey: ['list'] })
      void queries.invalidateQueries({ queryKey: ['search'] })
    },
  })
  return mutate
}

export function StarButton({ chat, on }: { chat: string; on: boolean }) {
  const { star, unstar } = useWords(words)
  const mark = useStar()
  return (
    <IconButton
      icon="star"
      className="star-button"
      label={on ? unstar : star}
      aria-pressed={on}
      onClick={() => mark({ chats: [chat], pinned: !on })}
    />
  )
}
