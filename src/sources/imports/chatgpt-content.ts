import type { Attachment, Citation } from '../../model/chat.ts'
import { type Json, list, number, object, objects, parsed, string, words } from '../json.ts'

/** What a message says, whatever the type of its content; without the marks that stand for citations. */
export function textOf(content: Json): string {
  const { content_type: type, parts, text, result, summary } = content
  switch (type) {
    case 'code':
      return string(text) ?? ''
    case 'thoughts':
      return ''
    case 'user_editable_context':
      return joined(content.user_profile, content.user_instructions)
    case 'model_editable_context':
      return joined(content.model_set_context)
    case 'tether_browsing_display':
      return withoutMarks(joined(summary, result))
    case 'tether_quote':
    case 'sonic_webpage':
      return joined(content.title, text)
    case 'system_error':
      return joined(content.name, text)
    default:
      return withoutMarks(
        Array.isArray(parts)
          ? parts.map(partText).filter(Boolean).join('\n')
          : joined(text, content.content, content.result),
      )
  }
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  return string(object(part)?.text) ?? ''
}

export function thoughtsOf({ thoughts, content }: Json): string {
  const steps = objects(thoughts).map((thought) => joined(thought.summary, thought.content))
  return steps.filter(Boolean).join('\n\n') || joined(content)
}

/** Files of a message: those listed, and pointers among its parts. Their bytes lie elsewhere in the export. */
export function attachmentsOf(content: Json, metadata: Json): Attachment[] {
  const found: Attachment[] = []
  const ids = new Set<string>()
  for (const { id, name, size, mime_type, mimeType } of objects(metadata.attachments)) {
    const mime = words(mime_type) ?? words(mimeType)
    const given = words(id)
    if (given) ids.add(given)
    found.push({
      name: words(name) ?? given ?? 'file',
      type: mime?.startsWith('image/') ? 'image' : 'file',
      ...(mime && { mimeType: mime }),
      ...(number(size) !== undefined && { bytes: number(size) }),
    })
  }
  for (const part of list(content.parts)) {
    const pointer = pointerOf(object(part))
    if (!pointer) continue
    const { asset_pointer, content_type, size_bytes, metadata: about } = pointer
    const name = string(asset_pointer)!.replace(/^[\w-]+:\/\//, '')
    if (ids.has(name)) continue
    ids.add(name)
    const prompt = words(object(object(about)?.dalle)?.prompt)
    found.push({
      name,
      type: string(content_type)?.includes('audio') ? 'audio' : 'image',
      ...(number(size_bytes) !== undefined && { bytes: number(size_bytes) }),
      ...(prompt && { text: prompt }),
    })
  }
  return found
}

/** Live voice wraps its recording once more. */
function pointerOf(part: Json | undefined): Json | undefined {
  const inner = object(part?.audio_asset_pointer) ?? part
  return words(inner?.asset_pointer) ? inner : undefined
}

/** What an answer refers to: `citations` until 2024, `content_references` since. */
export function citationsOf(metadata: Json): Citation[] {
  const found = new Map<string, Citation>()
  const add = ({ url, title, name, text, snippet, type }: Json): void => {
    const path = type === 'file' ? words(name) : undefined
    const address = words(url) ?? path
    if (!address || found.has(address)) return
    const said = words(text) ?? words(snippet)
    found.set(address, {
      ...(path ? { path } : { url: address }),
      ...(words(title) && { title: words(title) }),
      ...(said && { text: said }),
    })
  }
  for (const citation of objects(metadata.citations)) add(object(citation.metadata) ?? {})
  for (const reference of objects(metadata.content_references)) {
    add(reference)
    for (const item of [...objects(reference.items), ...objects(reference.sources)]) {
      add(item)
      for (const site of objects(item.supporting_websites)) add(site)
    }
  }
  return [...found.values()]
}

const MARKED = /\uE200([a-z_]*)\uE202?([^\uE201]*)\uE201/g
const BRACKETED = /【\d+(?::\d+)?†[^】]{0,200}】/g

/**
 * Marks are written with characters of the private use area; some of them stand for a word:
 * `entity` for the second of its list, `url` for its first.
 */
function withoutMarks(text: string): string {
  const plain = text.includes('†') ? text.replace(BRACKETED, '') : text
  if (!/[\uE200-\uE206]/.test(plain)) return plain
  return plain
    .replace(MARKED, (_, mark: string, inside: string) => {
      if (mark === 'entity') return string(list(parsed(inside))[1]) ?? ''
      return mark === 'url' ? inside.split('\uE202')[0]! : ''
    })
    .replace(/[\uE200-\uE206]/g, '')
}

function joined(...texts: unknown[]): string {
  return texts.flatMap((text) => words(text) ?? []).join('\n')
}
