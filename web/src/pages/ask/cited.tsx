import { useEffect, useState } from 'react'
import { post } from '../../lib/api.ts'
import type { ChatCitation } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Markdown } from '../../ui/markdown.tsx'
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

const BEGIN = 'context://sessions/'
const URI = /context:\/\/sessions\/[\w:@%-][\w.:@%-]*(?:#m?\d+)?/g

interface Said {
  unverified: string
  by: (author: string) => string
}

function withLinks(text: string, citations: ChatCitation[] | undefined, { unverified, by }: Said): string {
  if (!text.includes(BEGIN)) return text
  let [at, out] = [0, '']
  for (const { 0: written, index: from } of text.matchAll(URI)) {
    const citation = citations?.find((each) => each.from === from)
    const uri = citation?.uri ?? written.replace(/[.:]+$/, '')
    // Where it is a link in the text already, the address alone is ours to say.
    const isTarget = /\]\($/.test(text.slice(0, from))
    out += text.slice(at, from)
    if (!citation) out += isTarget ? '' : nameOf(uri)
    else if (!citation.verified && isTarget) {
      out += `) *(${unverified})*`
      at = from + uri.length + 1
      continue
    } else if (!citation.verified) out += `${nameOf(uri)} *(${unverified})*`
    else {
      // Whose words they are is said where they are not the reader's own.
      const whose = citation.author ? ` ${by(plain(citation.author))}` : ''
      out += isTarget ? targetOf(citation) : `[${nameOf(uri)}${whose}](${targetOf(citation)})`
      const end = from + uri.length
      if (isTarget && whose && text[end] === ')') {
        out += `)${whose}`
        at = end + 1
        continue
      }
    }
    at = from + uri.length
  }
  return out + text.slice(at)
}

function targetOf({ source, chatId, index }: ChatCitation): string {
  return `${BEGIN}${source}:${chatId}${index === undefined ? '' : `#m${index}`}`
}

/** A name is no Markdown. */
function plain(name: string): string {
  return name.replaceAll(/[\\`*_{}[\]<>()#|~]/g, '')
}

function nameOf(uri: string): string {
  const [chat = '', message] = uri.slice(BEGIN.length).split('#')
  const id = chat.replace(/^[\w-]+:/, '').slice(0, 8)
  return message === undefined ? id : `${id}#${message.replace(/^m/, '')}`
}
