import { useSyncExternalStore } from 'react'
import { recall, remember } from './stored.ts'

/** Whether the person wants to see passwords and keys in their chats, in this browser. */
export function useReveal(): boolean {
  return useSyncExternalStore(subscribe, () => chosen)
}

export function setReveal(reveal: boolean): void {
  chosen = reveal
  remember('reveal', reveal ? '1' : '')
  for (const tell of listeners) tell()
}

let chosen = recall('reveal') === '1'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
