import { Problem } from '../../lib/api.ts'
import type { GivenAttachment } from '../../lib/types.ts'

const MOST_BYTES = 10 * 1024 * 1024
const MOST_TEXT_BYTES = 1024 * 1024
const BINARY = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/

/** A picture or a document as it is; anything else has to be text. */
export async function attachmentFrom(file: File): Promise<GivenAttachment> {
  const { name, type } = file
  if (BINARY.test(type)) {
    if (file.size > MOST_BYTES) throw tooLarge(name, MOST_BYTES)
    return { name, mimeType: type, data: base64Of(new Uint8Array(await file.arrayBuffer())) }
  }
  if (file.size > MOST_TEXT_BYTES) throw tooLarge(name, MOST_TEXT_BYTES)
  const text = await file.text()
  if (text.includes('\0'))
    throw new Problem(0, {
      code: 'INVALID_INPUT',
      message: `${name} is neither a picture, a PDF nor text.`,
      hint: 'Attach a PNG, JPEG, GIF, WebP, PDF or text file.',
    })
  return { name, mimeType: type || 'text/plain', text }
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

function tooLarge(name: string, most: number): Problem {
  return new Problem(0, {
    code: 'TOO_LARGE',
    message: `${name} is larger than ${most / 1024 / 1024} MB.`,
    hint: 'Attach a part of it.',
  })
}
