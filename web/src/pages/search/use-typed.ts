import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** What is being typed, at once; and told on as soon as the letter is drawn. Searches see to it that they do not pile up. */
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
    const timer = setTimeout(() => settle())
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
