import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Attachment } from '../../agent/agent.ts'
import { RecollectError } from '../../model/errors.ts'
import { withoutSecrets } from '../../service/outgoing.ts'

const MOST_TEXT = 400_000
const MOST_BYTES = 15 * 1024 * 1024
const IMAGES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
}

/**
 * The files that a message names as `@path` or `@"a path"`. What is no file stays mere words: an address
 * of mail, a package. Passwords and keys are taken out of texts.
 */
export function attachmentsIn(message: string, cwd = process.cwd()): Attachment[] {
  const named = Array.from(message.matchAll(MENTION), ([, quoted, plain]) => quoted ?? plain ?? '')
  const files = named.flatMap((name) => fileMeant(name, cwd) ?? [])
  return [...new Set(files)].map((file) => attachmentOf(file, cwd))
}

/** What was piped in beside a question. */
export function pipedText(text: string): Attachment {
  return { name: 'standard input', mimeType: 'text/plain', text: withoutSecrets(text) }
}

export function sizeOf({ text, data }: Attachment): string {
  const bytes = data === undefined ? Buffer.byteLength(text ?? '') : Buffer.byteLength(data, 'base64')
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`
}

/** Files whose name begins with what was typed after the `@`. */
export function completePath(begun: string, cwd = process.cwd()): string[] {
  const cut = begun.lastIndexOf('/') + 1
  const folder = placeOf(begun.slice(0, cut) || '.', cwd)
  const start = begun.slice(cut)
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
      .filter(({ name }) => !/\s/.test(name))
      .map((each) => `${begun.slice(0, cut)}${each.name}${each.isDirectory() ? '/' : ' '}`)
      .sort()
  } catch {
    return []
  }
}

const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g

/** Without what ends a sentence, where there is no file with it. */
function fileMeant(name: string, cwd: string): string | undefined {
  return [name, name.replace(/[.,;:!?)\]]+$/, '')].map((each) => placeOf(each, cwd)).find(isFile)
}

function placeOf(name: string, cwd: string): string {
  return path.resolve(cwd, name.replace(/^~(?=$|[\\/])/, os.homedir()))
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true
}

function attachmentOf(file: string, cwd: string): Attachment {
  const name = path.relative(cwd, file) || file
  let bytes: Buffer
  try {
    bytes = fs.readFileSync(file)
  } catch (error) {
    throw new RecollectError('READ_ERROR', `${name} could not be read: ${(error as Error).message}`)
  }
  const picture = IMAGES[path.extname(file).toLowerCase()]
  if (picture && bytes.length <= MOST_BYTES)
    return { name, mimeType: picture, data: bytes.toString('base64') }
  if (picture || bytes.length > MOST_TEXT)
    throw new RecollectError(
      'TOO_LARGE',
      `${name} is too large to attach: ${bytes.length.toLocaleString('en-US')} bytes.`,
      'Attach a part of it.',
    )
  if (bytes.includes(0))
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `${name} is neither text nor an image.`,
      'Text, PNG, JPEG, GIF, WebP and PDF can be attached.',
    )
  return { name, mimeType: 'text/plain', text: withoutSecrets(bytes.toString('utf8')) }
}
