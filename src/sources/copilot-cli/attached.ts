import type { Attachment, Citation } from '../../model/chat.ts'
import { type Json, number, object, objects, plain, string, words } from '../json.ts'

/** What the person attached to a message. `assets` knows interned bytes. */
export function attachments(
  value: unknown,
  assets: Map<string, [bytes: number, offset: number]>,
  assetData: (offset: number) => string | undefined = () => undefined,
): Attachment[] | undefined {
  return some(
    objects(value).map((item) => {
      const asset = assets.get(string(item.assetId) ?? '')
      const path = words(item.path) ?? words(item.filePath)
      const url = words(item.url)
      return {
        name: attachmentName(item, path, url),
        type: words(item.type) ?? 'file',
        path,
        url,
        mimeType: words(item.mimeType),
        bytes: number(item.byteLength) ?? asset?.[0],
        text: words(item.text) ?? (item.payload === undefined ? undefined : plain(item.payload)),
        ...dataOf(string(item.data) ?? (asset && assetData(asset[1]))),
      }
    }),
  )
}

/** Images and other bytes that a tool showed to the model. */
export function binaryAttachments(result: Json | undefined): Attachment[] | undefined {
  if (!result) return undefined
  const images = objects(result.contents).filter((part) => part.type === 'image' || part.type === 'audio')
  const shown = objects(result.binaryResultsForLlm)
  return some(
    (shown.length > 0 ? shown : images).map((item) => {
      const type = words(item.type) ?? 'image'
      return {
        name: words(item.description) ?? type,
        type,
        mimeType: words(item.mimeType),
        bytes: number(item.byteLength),
        ...dataOf(string(item.data)),
      }
    }),
  )
}

/** Base64 of which nothing was left out while reading. */
function dataOf(data: string | undefined): { data?: string } {
  return !data || data.slice(-64).includes(' bytes of base64 left out') ? {} : { data }
}

/** The sources of an answer, each with the first passage cited from it. */
export function citations(value: unknown): Citation[] | undefined {
  const quotes = new Map<string, string>()
  for (const span of objects(object(value)?.spans)) {
    for (const reference of objects(span.references)) {
      const id = string(reference.sourceId)
      const quote = words(reference.citedText)
      if (id !== undefined && quote && !quotes.has(id)) quotes.set(id, quote)
    }
  }
  return some(
    objects(object(value)?.sources).map((item) => ({
      ...citation(item),
      text: quotes.get(string(item.id) ?? ''),
    })),
  )
}

export function toolCitations(value: unknown): Citation[] | undefined {
  return some(objects(value).map(citation))
}

function citation(item: Json): Citation {
  return { url: words(item.url), path: words(item.path), title: words(item.title) }
}

function attachmentName(item: Json, path: string | undefined, url: string | undefined): string {
  return (
    words(item.displayName) ??
    words(item.title) ??
    words(item.jobName) ??
    words(item.name) ??
    words(item.message) ??
    path?.split(/[\\/]/).findLast((part) => part !== '') ??
    url ??
    words(item.type) ??
    'attachment'
  )
}

function some<T>(items: T[]): T[] | undefined {
  return items.length > 0 ? items : undefined
}
