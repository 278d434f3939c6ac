import { type KeyboardEvent, useId, useState } from 'react'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { words } from './words.ts'

interface ComposerProps {
  running: boolean
  disabled: boolean
  onSend: (message: string) => void
  onStop: () => void
}

/** Enter sends, Shift+Enter begins a new line; it grows with the text. */
export function Composer({ running, disabled, onSend, onStop }: ComposerProps) {
  const say = useWords(words)
  const [text, setText] = useState('')
  const id = useId()
  const send = () => {
    if (text.trim() === '' || running || disabled) return
    onSend(text.trim())
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="ask-composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        {say.message}
      </label>
      <textarea
        id={id}
        rows={1}
        value={text}
        disabled={disabled}
        placeholder={say.placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <Button onClick={onStop}>{say.stop}</Button>
      ) : (
        <Button look="primary" type="submit" disabled={disabled || text.trim() === ''}>
          {say.send}
        </Button>
      )}
    </form>
  )
}
