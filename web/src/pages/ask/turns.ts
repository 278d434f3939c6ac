import type { Approval, FollowedEvent, Question } from '../../lib/types.ts'

/** What a person sees of a dialog, in order. */
export type Part =
  /** `id` once it is written down: by it another can be asked instead. */
  | { kind: 'request'; text: string; id?: string; attachments?: { name: string; mimeType: string }[] }
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'tool'; call: Call }
  | { kind: 'approval'; approval: Approval }
  | { kind: 'question'; question: Question }
  | { kind: 'notice'; text: string }
  | { kind: 'stopped' }

export interface Call {
  id: string
  tool: string
  args?: unknown
  result?: { success: boolean; text: string; durationMs?: number }
  /** How far it is, as its server tells. */
  progress?: string
}

/** The dialog with one more thing that happened. */
export function withEvent(parts: Part[], event: FollowedEvent): Part[] {
  const last = parts.at(-1)
  switch (event.type) {
    case 'request': {
      const { id, text, attachments } = event
      return [...parts, { kind: 'request', id, text, attachments }]
    }
    case 'text':
    case 'thinking':
      return last?.kind === event.type
        ? [...parts.slice(0, -1), { ...last, text: last.text + event.text }]
        : [...parts, { kind: event.type, text: event.text }]
    case 'tool-call': {
      const { id, tool, args } = event
      // After an approval the same call is told again.
      const known = parts.some((part) => part.kind === 'tool' && part.call.id === id)
      return known ? parts : [...parts, { kind: 'tool', call: { id, tool, args } }]
    }
    case 'tool-result': {
      const next = [...parts]
      const { success, result: text, durationMs } = event
      addResult(next, event.id, { success, text, durationMs })
      return next
    }
    case 'approval': {
      const { approval } = event
      const known = parts.some((part) => part.kind === 'approval' && part.approval.id === approval.id)
      if (!known) return [...parts, { kind: 'approval', approval }]
      return parts.map((part) =>
        part.kind === 'approval' && part.approval.id === approval.id ? { kind: 'approval', approval } : part,
      )
    }
    case 'question': {
      const { question } = event
      const isSame = (part: Part) => part.kind === 'question' && part.question.id === question.id
      if (!parts.some(isSame)) return [...parts, { kind: 'question', question }]
      return parts.map((part) => (isSame(part) ? { kind: 'question', question } : part))
    }
    case 'notice':
      return [...parts, { kind: 'notice', text: event.text }]
    case 'stopped':
      return [...parts, { kind: 'stopped' }]
    case 'progress': {
      const { id, done, total, message } = event
      const progress = [total === undefined ? String(done) : `${done}/${total}`, message]
        .filter(Boolean)
        .join(' ')
      return parts.map((part) =>
        part.kind === 'tool' && part.call.id === id
          ? { kind: 'tool', call: { ...part.call, progress } }
          : part,
      )
    }
    case 'start':
    case 'step':
    case 'done':
    case 'error':
      return parts
  }
}

/** The chats that tools of Recollect gave, each once, by short id or whole: what an answer is based upon. */
export function chatsRead(parts: Part[]): ChatRead[] {
  const chats: ChatRead[] = []
  for (const part of parts) {
    if (part.kind !== 'tool' || !part.call.result?.success) continue
    for (const chat of chatsIn(part.call.result.text)) {
      const known = chats.find((each) => isSameChat(each, chat))
      if (!known) chats.push(chat)
      else if (chat.id.length > known.id.length) known.id = chat.id
    }
  }
  return chats.slice(0, 12)
}

interface ChatRead {
  id: string
  title: string
  /** Whose it is, where it is somebody else's. */
  author?: string
}

function isSameChat(a: ChatRead, b: ChatRead): boolean {
  const [own, other] = [a, b].map(({ id }) => id.replace(/^[\w-]+:/, ''))
  return own!.startsWith(other!) || other!.startsWith(own!)
}

/** What an answer is copied as: its words with links that open here, and the chats that they are from. */
export function withSources(parts: Part[], at: number, origin: string, heading: string): string {
  const part = parts[at]
  if (part?.kind !== 'text') return ''
  const asked = parts.slice(0, at).findLastIndex((each) => each.kind === 'request')
  const chatUrl = (id: string) => `${origin}/chat/${encodeURIComponent(id)}`
  const text = part.text.replaceAll(/context:\/\/sessions\/([\w.:-]*\w)/g, (_, id: string) => chatUrl(id))
  const sources = chatsRead(parts.slice(asked + 1, at)).map(
    ({ id, title, author }) => `- [${title}](${chatUrl(id)})${author ? ` (${author})` : ''}`,
  )
  return sources.length > 0 ? `${text}\n\n${heading}:\n${sources.join('\n')}\n` : text
}

function addResult(parts: Part[], id: string, result: NonNullable<Call['result']>): void {
  const at = parts.findLastIndex((part) => part.kind === 'tool' && part.call.id === id)
  const part = parts[at]
  if (part?.kind === 'tool') parts[at] = { kind: 'tool', call: { ...part.call, result } }
}

/** Found in the answers of search_conversations, gather_chats and list_chats. */
function chatsIn(text: string): ChatRead[] {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return []
  }
  if (!isRecord(answer)) return []
  return [answer.results, answer.meta, answer.chats, [answer.chat]].flat().flatMap((chat) => {
    if (!isRecord(chat)) return []
    const id = chat.chatId ?? chat.id
    const { title, author } = chat
    if (typeof id !== 'string' || typeof title !== 'string') return []
    return { id, title, ...(typeof author === 'string' && { author }) }
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
