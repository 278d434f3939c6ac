import path from 'node:path'
import type { Attachment } from '../../model/chat.ts'
import { type Json, number, object, objects, string } from '../json.ts'

/** A message's content as blocks: a bare string is one text block. */
export function blocksOf(content: unknown): Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objects(content)
}

/** An image or a document; nothing for other blocks. */
export function attachmentOf(block: Json): Attachment | undefined {
  const type = string(block.type)
  if (type !== 'image' && type !== 'document') return undefined
  const source = object(block.source)
  const data = string(source?.data) ?? string(block.data)
  const isText = source?.type === 'text'
  return {
    name: string(block.title) ?? type,
    type,
    ...defined({
      mimeType: string(source?.media_type) ?? string(block.mimeType),
      url: string(source?.url),
      bytes: data === undefined ? undefined : isText ? Buffer.byteLength(data) : bytesOfBase64(data),
      text: isText ? data : undefined,
      data: isText ? undefined : wholeBase64(data),
    }),
  }
}

/** A file as an attachment. */
export function fileAttachment(file: string, type: string, text?: string): Attachment {
  const name = (file.includes('\\') ? path.win32 : path.posix).basename(file) || file
  return { name, type, path: file, ...defined({ text }) }
}

/** How many bytes a base64 text stands for, also when most of it was left out while reading. */
function bytesOfBase64(data: string): number {
  const left = /\.\.\.\[(\d+) bytes of base64 left out\]$/.exec(data.slice(-64))
  if (left) return Math.floor(((data.length - left[0].length + Number(left[1])) * 3) / 4)
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

/** Base64 of which nothing was left out while reading. */
function wholeBase64(data: string | undefined): string | undefined {
  return data === '' || data?.slice(-64).includes('bytes of base64 left out') ? undefined : data
}

/** Without the fields that say nothing. Not deleted but left out: objects that fields were deleted of are slow from then on. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Partial<T> = {}
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key]
  return kept as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** Tokens, money and other counts are never negative. */
export function count(value: unknown): number | undefined {
  const found = number(value)
  return found !== undefined && found >= 0 ? found : undefined
}
