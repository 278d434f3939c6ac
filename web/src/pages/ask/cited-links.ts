import type { ChatCitation } from '../../lib/types.ts'

export const BEGIN = 'context://sessions/'
const URI = /context:\/\/sessions\/[\w:@%-][\w.:@%-]*(?:#m?\d+)?/g

interface Said {
  unverified: string
  by: (author: string) => string
}

/** Links into the reader for places in past chats, as far as they were looked up: Markdown in, Markdown out. */
export function withLinks(
  text: string,
  citations: ChatCitation[] | undefined,
  { unverified, by }: Said,
): string {
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
