import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useWords } from '../lib/words.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { words } from './words.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons at its foot. */
  actions?: ReactNode
  wide?: boolean
}

/** The browser's own modal dialog: it keeps the focus, closes on Esc and gives the focus back. */
export function Dialog({ open, onClose, title, children, actions, wide }: DialogProps) {
  const { close } = useWords(words)
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
    if (!open && dialog.current?.open) dialog.current.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes; for the keyboard Esc does
    <dialog
      ref={dialog}
      className={classes('dialog', wide && 'dialog-wide')}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open && (
        <div className="dialog-body">
          <header className="dialog-head">
            <h2 id={id}>{title}</h2>
            <IconButton icon="close" label={close} onClick={onClose} />
          </header>
          <div className="dialog-content">{children}</div>
          {actions && <footer className="dialog-actions">{actions}</footer>}
        </div>
      )}
    </dialog>
  )
}
