import { Link } from 'wouter'
import { download } from '../../lib/api.ts'
import { type Params, pathWith, type Sought, soughtParams } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useStar } from '../../ui/star.tsx'
import { trying } from '../../ui/toast.tsx'
import { words } from './words.ts'

export interface Selection {
  /** `source:id` of each chat. */
  chats: string[]
  toggle: (chat: string) => void
  clear: () => void
}

const MOST = 20
const FORMATS = { Markdown: 'markdown', HTML: 'html', JSON: 'json', 'JSON Lines': 'jsonl' }

export function useSelection(params: URLSearchParams, change: (changes: Params) => void): Selection {
  const chats = params.getAll('chat').slice(0, MOST)
  return {
    chats,
    toggle: (chat) =>
      change({ chat: chats.includes(chat) ? chats.filter((each) => each !== chat) : [...chats, chat] }),
    clear: () => change({ chat: undefined }),
  }
}

/** What can be done with several chats at once. */
export function SelectionBar({ selection, sought }: { selection: Selection; sought: Sought }) {
  const w = useWords(words)
  const { chats, clear } = selection
  const mark = useStar()
  if (chats.length === 0) return null
  return (
    <section className="selection" aria-label={w.selected(chats.length)}>
      <span className="selection-count">{w.selected(chats.length)}</span>
      <Link
        className="button button-quiet"
        href={pathWith('/compare', { chat: chats, ...soughtParams(sought) })}
      >
        <Icon name="compare" />
        {w.compare}
      </Link>
      <Link className="button button-quiet" href={pathWith('/evidence', { chat: chats })}>
        <Icon name="evidence" />
        {w.evidence}
      </Link>
      <Button look="quiet" icon="star" onClick={() => mark({ chats, pinned: true })}>
        {w.star}
      </Button>
      <Menu icon="download" label={w.export}>
        {Object.entries(FORMATS).map(([name, format]) => (
          <MenuItem key={format} onClick={() => trying(() => download('export', { chat: chats, format }))}>
            {name}
          </MenuItem>
        ))}
      </Menu>
      <IconButton icon="close" label={w.clearSelection} onClick={clear} />
    </section>
  )
}

interface SelectBoxProps {
  chat: string
  title: string
  selection: Selection
}

export function SelectBox({ chat, title, selection }: SelectBoxProps) {
  const { select } = useWords(words)
  return (
    <label className="select-box">
      <input
        type="checkbox"
        aria-label={select(title)}
        checked={selection.chats.includes(chat)}
        onChange={() => selection.toggle(chat)}
      />
    </label>
  )
}
