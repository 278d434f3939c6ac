import { useEffect, useEffectEvent } from 'react'
import { Problem, stream } from './api.ts'

type Listener = (data: unknown) => void

/**
 * Hears what the server tells of itself at `path` while the component is there and the page is in
 * sight. A hidden page lets go of its connection: browsers allow six per server, for all tabs.
 * `onBack` is called when the connection stands again after a gap, and when there is nothing any more to
 * hear of: ask anew for what may have changed.
 */
export function useLive(
  path: string | undefined,
  events: Record<string, Listener>,
  onBack?: () => void,
): void {
  const names = Object.keys(events).sort().join(' ')
  const heard = useEffectEvent((name: string, data: unknown) => events[name]?.(data))
  const back = useEffectEvent(() => onBack?.())
  useEffect(() => {
    if (!path) return
    return listen(
      path,
      names.split(' '),
      (name, data) => heard(name, data),
      () => back(),
    )
  }, [path, names])
}

const RETRY_MS = 2_000

function listen(
  path: string,
  names: string[],
  heard: (name: string, data: unknown) => void,
  back: () => void,
): () => void {
  let going: AbortController | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let opened = false
  const open = async () => {
    clearTimeout(retry)
    if (going || document.hidden) return
    const mine = new AbortController()
    going = mine
    let isGone = false
    const onOpen = () => {
      if (opened) back()
      opened = true
    }
    try {
      for await (const { event, data } of stream(path, undefined, mine.signal, onOpen))
        if (names.includes(event)) heard(event, data)
    } catch (error) {
      // Refused, or the server went away: tried again below.
      isGone = error instanceof Problem && error.status === 404
    }
    if (mine.signal.aborted) return
    going = undefined
    if (isGone) return back()
    retry = setTimeout(() => void open(), RETRY_MS)
  }
  const close = () => {
    clearTimeout(retry)
    going?.abort()
    going = undefined
  }
  const seen = () => (document.hidden ? close() : void open())
  document.addEventListener('visibilitychange', seen)
  void open()
  return () => {
    document.removeEventListener('visibilitychange', seen)
    close()
  }
}
