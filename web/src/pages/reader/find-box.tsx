import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useWords } from '../../lib/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { words as uiWords } from '../../ui/words.ts'
import type { Find } from './use-find.ts'
import { words } from './words.ts'

export function FindBox({ find }: { find: Find }) {
  const w = useWords(words)
  const { close } = useWords(uiWords)
  const count = find.hits.length
  const input = useRef<HTMLInputElement>(null)
  // It was just asked for; what led here from a search is only shown.
  useEffect(() => {
    if (find.isSearch) return
    input.current?.focus()
    input.current?.select()
  }, [find.isSearch])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') find.hide()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className="find-box">
      <input
        ref={input}
        aria-label={w.find}
        placeholder={w.find}
        value={find.text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => find.setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="find-count" role="status">
        {find.text !== '' && find.done && (count > 0 ? w.findAt(find.at, count) : w.findNone)}
      </span>
      <IconButton icon="up" label={w.findPrevious} disabled={count === 0} onClick={() => find.step(-1)} />
      <IconButton icon="down" label={w.findNext} disabled={count === 0} onClick={() => find.step(1)} />
      <IconButton icon="close" label={close} onClick={find.hide} />
    </search>
  )
}
