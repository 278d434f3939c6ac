import type { KeyboardEvent, Ref } from 'react'
import { useWords } from '../../lib/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { words } from './words.ts'

interface SearchBoxProps {
  ref: Ref<HTMLInputElement>
  text: string
  onText: (text: string) => void
  onDown: () => void
  onEnter: () => void
}

export function SearchBox({ ref, text, onText, onDown, onEnter }: SearchBoxProps) {
  const w = useWords(words)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') onDown()
    else if (event.key === 'Enter') onEnter()
    else if (event.key === 'Escape' && text !== '') onText('')
    else return
    event.preventDefault()
  }
  return (
    <search className="search-box">
      <Icon name="search" />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={w.search}
        placeholder={w.placeholder}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' ? (
        <IconButton icon="close" label={w.clear} onClick={() => onText('')} />
      ) : (
        <span className="search-hint" aria-hidden="true">
          <kbd>/</kbd>
        </span>
      )}
    </search>
  )
}
