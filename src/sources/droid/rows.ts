import type { Message } from '../../model/chat.ts'
import { isEmpty, partsOfBlocks } from '../claude-code/family.ts'
import { type Json, millis, object, string, version, words } from '../json.ts'
import type { TreeFormat } from '../tree-file.ts'

export const ROWS: TreeFormat = {
  link({ type, id, parentId }) {
    if (type !== 'message' || !words(id) || parentId === undefined) return undefined
    return { id: string(id)!, parent: string(parentId) }
  },
  about(chat, record) {
    if (record.type === 'message') chat.createdAt ??= millis(record.timestamp)
    if (record.type !== 'session_start') return
    chat.workspace = words(record.cwd)?.slice(0, 4096)
    chat.format = version(record.version)
    chat.forkOf = words(record.parent)?.slice(0, 200)
    // Otherwise it is the first request again.
    if (record.isSessionTitleManuallySet === true) chat.title = words(record.title)?.slice(0, 500)
  },
  message: messageOf,
}

function messageOf(record: Json, order: number): Message | undefined {
  const message = record.type === 'message' ? object(record.message) : undefined
  if (!message) return undefined
  const parts = partsOfBlocks(message.content)
  if (isEmpty(parts)) return undefined
  const id = words(record.id)?.slice(0, 200) ?? `at-${order}`
  const about = { id, order, createdAt: millis(record.timestamp), ...parts }
  if (message.role === 'assistant') {
    const model = words(message.modelId)?.slice(0, 200)
    return { ...about, role: 'assistant', kind: 'answer', ...(model && { model }) }
  }
  if (message.role !== 'user') return { ...about, role: 'system', kind: 'injected' }
  if (parts.toolResults) return { ...about, role: 'tool', kind: 'tool' }
  return { ...about, role: 'user', kind: kindOf(id, message) }
}

/** What the program adds in the person's name says so by its id, what it remarks by who is to see it. */
function kindOf(id: string, { visibility }: Json): Message['kind'] {
  if (id.startsWith('context-')) return 'injected'
  return visibility === undefined ? 'request' : 'notice'
}
