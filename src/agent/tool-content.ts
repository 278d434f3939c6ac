import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/client'
import { failure, type Media, type Outcome } from './tool.ts'

type Part = CallToolResult['content'][number]
/** Reads what a result only links to. */
export type ReadResource = (uri: string) => Promise<ReadResourceResult>

/** So much of a result goes to the model as pictures and documents. */
const MOST_MEDIA = 4
const MOST_CHARS = 6_000_000
const MOST_LINKS = 5

/** What an MCP tool gave back: its text, and pictures and documents for models that take them. */
export async function outcomeOf(result: CallToolResult, read?: ReadResource): Promise<Outcome> {
  const content = await withLinked(result.content, read)
  const parts = content.map(textOf).filter((text) => text !== '')
  if (parts.length === 0 && result.structuredContent) parts.push(JSON.stringify(result.structuredContent))
  const text = parts.join('\n')
  if (result.isError) return failure(text || 'The tool failed and did not say why.')
  const media = content.flatMap(mediaOf).slice(0, MOST_MEDIA)
  return { ok: true, text: text || '(no output)', ...(media.length > 0 && { media }) }
}

/** What is linked comes with the result: the model has no other way to it. */
async function withLinked(content: Part[], read: ReadResource | undefined): Promise<Part[]> {
  const links = content.filter((part) => part.type === 'resource_link').slice(0, MOST_LINKS)
  if (!read || links.length === 0) return content
  const linked = await Promise.all(
    links.map(async ({ uri }): Promise<Part[]> => {
      try {
        return (await read(uri)).contents.map((resource) => ({ type: 'resource', resource }))
      } catch {
        // The link itself is there.
        return []
      }
    }),
  )
  return [...content, ...linked.flat()]
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type} ${part.mimeType}, ${bytesIn(part.data)} bytes]`
    case 'resource_link':
      return `[resource ${part.name}: ${part.uri}]`
    case 'resource': {
      if ('text' in part.resource) return part.resource.text
      const { uri, mimeType = 'unknown', blob } = part.resource
      return `[resource ${uri}, ${mimeType}, ${bytesIn(blob)} bytes]`
    }
    default:
      return ''
  }
}

function mediaOf(part: Part): Media[] {
  if (part.type === 'image') return taken(part.mimeType, part.data)
  if (part.type === 'resource' && 'blob' in part.resource)
    return taken(part.resource.mimeType ?? '', part.resource.blob)
  return []
}

/** Of a kind that models read. */
function taken(mimeType: string, data: string): Media[] {
  return /^image\/(?:png|jpeg|gif|webp)$|^application\/pdf$/.test(mimeType) && data.length <= MOST_CHARS
    ? [{ mimeType, data }]
    : []
}

function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}
