import { useEffect, useEffectEvent } from 'react'

type Listener = (data: unknown) => void

/**
 * Hears what the server tells of itself at `path` while the component is there and the page is in
 * sight. A hidden page lets go of its connection: browsers allow six per server, for all tabs.
 * `onBack` is called when the connection stands again after a gap: ask anew for what may have changed.
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
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let opened = false
  const open = () => {
    clearTimeout(retry)
    if (source || document.hidden) return
    source = new EventSource(`/api/v1/${path}`)
    source.onopen = () => {
      if (opened) back()
      opened = true
    }
    source.onerror = () => {
      // The browser goes on by itself unless the server refused: then it is for us to try again.
      if (source?.readyState !== EventSource.CLOSED) return
      close()
      retry = setTimeout(open, RETRY_MS)
    }
    for (const name of names)
      source.addEventListener(name, (event: MessageEvent<string>) => heard(name, JSON.parse(event.data)))
  }
  const close = () => {
    clearTimeout(retry)
    source?.close()
    source = undefined
  }
  const seen = () => (document.hidden ? close() : open())
  document.addEventListener('visibilitychange', seen)
  open()
  return () => {
    document.removeEventListener('visibilitychange', seen)
    close()
  }
}
