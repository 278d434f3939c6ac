import { createContext, useContext, useState } from 'react'

/** Nothing long is folded: paper has no button to open it. */
export const UnfoldedContext = createContext(false)

interface Folding {
  /** Whether it is so long that it can be folded. */
  folds: boolean
  open: boolean
  toggle: () => void
}

/** Of something with so many lines: whether they are all shown. */
export function useFolding(lines: number, most: number): Folding {
  const isUnfolded = useContext(UnfoldedContext)
  const [open, setOpen] = useState(false)
  const folds = lines > most && !isUnfolded
  return { folds, open: open || !folds, toggle: () => setOpen(!open) }
}
