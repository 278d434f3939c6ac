import path from 'node:path'
import type { Message } from '../../model/chat.ts'
import { millis, object, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Found } from '../source.ts'
import { rolloutNameOf, rolloutsBelow } from './rollout-files.ts'

/** `history.jsonl`: what was typed, all that is left of a thread whose rollout is gone. */
export function* readHistory(file: string): Generator<Found> {
  const onDisk = new Set<string>()
  for (const each of rolloutsBelow(path.dirname(file))) {
    const id = rolloutNameOf(each)?.threadId
    if (id) onDisk.add(id)
  }
  const threads = new Map<string, Message[]>()
  for (const { offset, value, problem } of jsonLines(file)) {
    if (problem) yield { problem }
    const entry = object(value)
    const id = words(entry?.session_id)?.slice(0, 200)
    const text = words(entry?.text)
    if (!id || !text || onDisk.has(id)) continue
    const said = threads.get(id) ?? []
    threads.set(id, said)
    const createdAt = millis(entry?.ts)
    // Codex trims the file's beginning, so its offsets move; the time and the place within it do not.
    const twins = said.filter((message) => message.createdAt === createdAt).length
    const isCommand = /^\/[a-z][\w:-]*$/i.test(text.trim())
    said.push({
      id: `history-${createdAt ?? offset}-${twins}`,
      order: (createdAt ?? 0) + twins / 1000,
      role: 'user',
      kind: isCommand ? 'command' : 'request',
      createdAt,
      text,
    })
  }
  for (const [id, said] of threads) {
    if (!said.some(({ kind }) => kind === 'request')) continue
    const [createdAt, updatedAt] = [said[0]?.createdAt, said.at(-1)?.createdAt]
    yield { chat: { source: 'codex', id, createdAt, updatedAt, format: 'history' } }
    for (const message of said) yield { chatId: id, message }
  }
}
