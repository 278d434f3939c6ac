import { useEffect, useState } from 'react'
import { post } from '../../lib/api.ts'
import type { ChatCitation } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { BEGIN, withLinks } from './cited-links.ts'
import { words } from './words.ts'

/**
 * An answer whose places in past chats are links that open at the message. Each is looked up first: one that does not
 * exist, or does not say what is quoted, is marked and leads nowhere.
 */
export function CitedText({ text }: { text: string }) {
  const { unverified, by } = useWords(words)
  const citations = useCitations(text)
  return <Markdown text={withLinks(text, citations, { unverified, by })} />
}

function useCitations(text: string): ChatCitation[] | undefined {
  const [checked, setChecked] = useState<{ text: string; citations: ChatCitation[] }>()
  useEffect(() => {
    if (!text.includes(BEGIN)) return
    const controller = new AbortController()
    // While an answer comes, it is looked up when it pauses.
    const timer = setTimeout(() => {
      post<{ citations: ChatCitation[] }>('/api/v1/citations', { text }, controller.signal)
        .then(({ citations }) => setChecked({ text, citations }))
        .catch(() => {})
    }, 150)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text])
  // What was looked up of the beginning still holds.
  return checked && text.startsWith(checked.text) ? checked.citations : undefined
}
