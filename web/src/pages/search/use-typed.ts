import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** A search takes no longer than this, and one that is no longer wanted is cancelled: results follow the letters. */
const PAUSE_MS = 30

/** What is being typed, at once; and told on when there is a moment's pause. */
export function useTyped(known: string, tell: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(known)
  const told = useRef(known)
  if (known !== told.current) {
    // The address changed by itself: the back button, a link.
    told.current = known
    setText(known)
  }
  const settle = useEffectEvent(() => {
    told.current = text
    tell(text)
  })
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => settle(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
