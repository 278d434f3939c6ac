import { useEffect, useState } from 'react'
import { useWords } from '../../lib/words.ts'
import { Code } from '../code.tsx'
import { words } from '../words.ts'
import './drawn.css'

/** Longer ones would keep the page busy for seconds. */
const MOST_CHARS = 20_000

/**
 * A Mermaid diagram, drawn by code of our own package that is fetched when the first one is read. It is shown as a
 * picture: whatever somebody wrote into it can neither run nor fetch anything. What cannot be drawn stays text.
 */
export function Drawing({ text }: { text: string }) {
  const { diagram } = useWords(words)
  const [picture, setPicture] = useState<string | null>()
  useEffect(() => {
    let wanted = true
    void pictureOf(text).then((made) => wanted && setPicture(made))
    return () => {
      wanted = false
    }
  }, [text])
  if (!picture) return <Code text={text} language="mermaid" />
  return (
    <figure className="drawing">
      <img src={picture} alt={diagram} />
      <details>
        <summary>Mermaid</summary>
        <Code text={text} language="mermaid" />
      </details>
    </figure>
  )
}

async function pictureOf(text: string): Promise<string | null> {
  if (text.length > MOST_CHARS) return null
  try {
    const { renderMermaidSVG } = await import('beautiful-mermaid')
    const { color, backgroundColor } = getComputedStyle(document.body)
    const drawn = renderMermaidSVG(text, { fg: color, bg: backgroundColor })
    // It names a font of the network first; a picture may not fetch one, and need not ask.
    const svg = drawn.replace(/@import url\([^)]*\);/g, '')
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  } catch {
    return null
  }
}
