import { download, text } from '../../lib/api.ts'
import { useWords } from '../../lib/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { toast, trying } from '../../ui/toast.tsx'
import type { Range } from './message-list.tsx'
import { words } from './words.ts'

interface RangeBarProps {
  chat: string
  range: Range
  onClear: () => void
}

/** What can be done with some messages in a row: all of it without passwords and keys. */
export function RangeBar({ chat, range, onClear }: RangeBarProps) {
  const w = useWords(words)
  const count = range.to - range.from + 1
  const part = (format: string) => ({ chat, format, ...range })
  const copy = async () => {
    await navigator.clipboard.writeText(await text('export', part('markdown')))
    toast(w.rangeCopied(count))
    onClear()
  }
  return (
    <section className="selection range-bar" aria-label={w.picked(count)}>
      <span className="selection-count">{w.picked(count)}</span>
      <Button look="quiet" icon="copy" onClick={() => trying(copy)}>
        {w.copyRange}
      </Button>
      <Button look="quiet" icon="download" onClick={() => trying(() => download('export', part('markdown')))}>
        Markdown
      </Button>
      <Button look="quiet" icon="download" onClick={() => trying(() => download('export', part('html')))}>
        HTML
      </Button>
      <IconButton icon="close" label={w.clearRange} onClick={onClear} />
    </section>
  )
}
