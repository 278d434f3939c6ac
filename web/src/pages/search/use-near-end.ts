import { useEffect, useEffectEvent, useRef } from 'react'

/** Calls when the element comes near the window's end. */
export function useNearEnd(act: () => void) {
  const element = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(act)
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && near(), {
      rootMargin: '800px',
    })
    if (element.current) watch.observe(element.current)
    return () => watch.disconnect()
  })
  return element
}
