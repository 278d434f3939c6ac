import { useSyncExternalStore } from 'react'

export interface Shared<T> {
  get(): T
  set(value: T): void
  /** The value as it is now; a component that asks is drawn again when it changes. */
  use(): T
}

/** A value that many components see and any of them may change. */
export function shared<T>(initial: T): Shared<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get,
    set(next) {
      value = next
      for (const tell of listeners) tell()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
