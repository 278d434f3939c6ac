import { useSyncExternalStore } from 'react'

interface Note {
  id: number
  text: string
}

const SHOWN_MS = 4_000
let notes: Note[] = []
let last = 0
const listeners = new Set<() => void>()

/** A short remark that goes away by itself. Never for what somebody has to act upon. */
export function toast(text: string): void {
  const note = { id: ++last, text }
  change([...notes, note].slice(-3))
  setTimeout(() => change(notes.filter(({ id }) => id !== note.id)), SHOWN_MS)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => notes)
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

function change(next: Note[]): void {
  notes = next
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
