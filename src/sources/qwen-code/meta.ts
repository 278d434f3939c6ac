import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { object, words } from '../json.ts'
import { readJson } from '../lines.ts'

/** The file beside a sub-agent's that tells who started it. */
export function linksTo(log: string): string {
  return log.replace(/\.jsonl$/, '.meta.json')
}

/** A sub-agent lies in a folder that is called as the chat that started it. */
export function readMeta(log: string): Pick<Chat, 'parentId' | 'subagent' | 'title'> {
  const folder = path.dirname(log)
  if (path.basename(path.dirname(folder)) !== 'subagents') return {}
  let told: ReturnType<typeof object>
  try {
    told = object(readJson(linksTo(log)))
  } catch {
    // It may come later, or never.
  }
  const title = words(told?.description)
  return {
    parentId: words(told?.parentSessionId) ?? path.basename(folder),
    subagent: true,
    ...(title && { title }),
  }
}
