import { type ReactNode, useState } from 'react'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'

interface FoldProps {
  /** The line that is always there. */
  summary: ReactNode
  /** Made only while it is open. */
  children: () => ReactNode
  /** Opens by itself when this becomes true; the person may close it again. */
  open?: boolean
  className?: string
}

/** Something folded away behind one line. */
export function Fold({ summary, children, open = false, className }: FoldProps) {
  const [shown, setShown] = useState(open)
  const [asked, setAsked] = useState(open)
  if (open !== asked) {
    setAsked(open)
    if (open) setShown(true)
  }
  return (
    <div className={classes('fold', shown && 'fold-open', className)}>
      <button type="button" className="fold-summary" aria-expanded={shown} onClick={() => setShown(!shown)}>
        <Icon name="right" />
        {summary}
      </button>
      {shown && <div className="fold-content">{children()}</div>}
    </div>
  )
}
