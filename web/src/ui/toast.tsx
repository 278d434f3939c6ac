import { shared } from '../lib/shared.ts'

interface Note {
  id: number
  text: string
}

const SHOWN_MS = 4_000
const notes = shared<Note[]>([])
let last = 0

/** A short remark that goes away by itself. Never for what somebody has to act upon. */
export function toast(text: string): void {
  const note = { id: ++last, text }
  notes.set([...notes.get(), note].slice(-3))
  setTimeout(() => notes.set(notes.get().filter(({ id }) => id !== note.id)), SHOWN_MS)
}

/** Does it, and says why where that fails: the server may have gone. */
export function trying(work: () => Promise<void>): void {
  work().catch((error: unknown) => toast(error instanceof Error ? error.message : String(error)))
}

export function Toasts() {
  const shown = notes.use()
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <div key={id} className="toast">
          {text}
        </div>
      ))}
    </div>
  )
}
