import { useEffect, useRef, useState } from 'react'
import './drawn.css'

/**
 * A formula in TeX, as MathML, which browsers lay out themselves: no fonts, no styles. The code for it is fetched
 * when the first one is read. What is no formula stays as it was written.
 */
export function Formula({ tex, display }: { tex: string; display?: boolean }) {
  const place = useRef<HTMLSpanElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    let wanted = true
    void import('katex').then(({ default: katex }) => {
      if (!wanted || !place.current) return
      try {
        const options = { output: 'mathml', displayMode: display, trust: false, strict: false } as const
        katex.render(tex, place.current, { ...options, throwOnError: true, maxExpand: 200, maxSize: 50 })
        setDrawn(true)
      } catch {
        setDrawn(false)
      }
    })
    return () => {
      wanted = false
    }
  }, [tex, display])
  const Tag = display ? 'div' : 'span'
  return (
    <Tag className={display ? 'formula formula-display' : 'formula'}>
      <span ref={place} hidden={!isDrawn} />
      {!isDrawn && <code>{tex}</code>}
    </Tag>
  )
}
