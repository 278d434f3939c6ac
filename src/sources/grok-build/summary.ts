import fs from 'node:fs'
import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { type Json, millis, number, object, words } from '../json.ts'
import { readJson } from '../lines.ts'

/** What stands beside the updates of a session. */
export function chatOf(folder: string): Chat {
  const summary = documentIn(path.join(folder, 'summary.json'))
  const info = object(summary?.info)
  const kind = words(summary?.session_kind) ?? ''
  const id = words(info?.id) ?? path.basename(folder)
  const isSubagent = kind.startsWith('subagent')
  const origin = words(summary?.parent_session_id)
  const format = number(summary?.chat_format_version)
  return {
    source: 'grok-build',
    id,
    title: words(summary?.generated_title) ?? words(summary?.session_summary),
    workspace: words(info?.cwd),
    branch: words(summary?.head_branch),
    createdAt: millis(summary?.created_at),
    ...(format !== undefined && { format: `v${format}` }),
    ...(isSubagent && { subagent: true, parentId: origin ?? parentOf(folder, id) }),
    ...(!isSubagent && origin && { forkOf: origin }),
  }
}

/** A sub-agent does not know who started it; the one that did has a folder for it. */
function parentOf(folder: string, id: string): string | undefined {
  const tree = path.dirname(folder)
  try {
    return fs
      .readdirSync(tree)
      .find((name) => fs.existsSync(path.join(tree, name, 'subagents', id, 'meta.json')))
  } catch {
    return undefined
  }
}

function documentIn(file: string): Json | undefined {
  try {
    return object(readJson(file))
  } catch {
    return undefined
  }
}
