import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import type { GivenAttachment } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { attachmentFrom } from './attachments.ts'
import { words } from './words.ts'

interface ComposerProps {
  running: boolean
  disabled: boolean
  onSend: (message: string, attachments: GivenAttachment[]) => void
  onStop: () => void
}

/** Enter sends, Shift+Enter begins a new line; it grows with the text. Files are chosen, pasted or dropped. */
export function Composer({ running, disabled, onSend, onStop }: ComposerProps) {
  const say = useWords(words)
  const [text, setText] = useState('')
  const [attached, setAttached] = useState<GivenAttachment[]>([])
  const [problem, setProblem] = useState<unknown>()
  const files = useRef<HTMLInputElement>(null)
  const id = useId()
  const isEmpty = text.trim() === '' && attached.length === 0
  const send = () => {
    if (isEmpty || running || disabled) return
    onSend(text.trim(), attached)
    setText('')
    setAttached([])
  }
  const attach = async (chosen: Iterable<File>) => {
    setProblem(undefined)
    try {
      const read = await Promise.all([...chosen].map(attachmentFrom))
      setAttached((known) => [...known, ...read])
    } catch (failure) {
      setProblem(failure)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent) => {
    const { files: pasted } = event.clipboardData
    if (pasted.length === 0) return
    event.preventDefault()
    void attach(pasted)
  }
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    void attach(event.dataTransfer.files)
  }
  return (
    <form
      className="ask-composer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {problem !== undefined && <ErrorBox error={problem} />}
      {attached.length > 0 && (
        <ul className="ask-attached" aria-label={say.attached}>
          {attached.map(({ name }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name
            <li key={at}>
              {name}
              <IconButton
                icon="close"
                label={say.detach(name)}
                onClick={() => setAttached((known) => known.filter((_, each) => each !== at))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="ask-compose">
        <IconButton
          icon="image"
          label={say.attach}
          disabled={disabled}
          onClick={() => files.current?.click()}
        />
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={say.attach}
          onChange={(event) => {
            void attach(event.target.files ?? [])
            event.target.value = ''
          }}
        />
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
          onPaste={onPaste}
        />
        {running ? (
          <Button onClick={onStop}>{say.stop}</Button>
        ) : (
          <Button look="primary" type="submit" disabled={disabled || isEmpty}>
            {say.send}
          </Button>
        )}
      </div>
    </form>
  )
}
