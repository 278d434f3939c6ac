import type { Archive, ToolSum, UsageFilter } from '../archive/archive.ts'
import type { ToolResult } from '../model/chat.ts'
import { ANYWHERE, type Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { preview } from './preview.ts'

/** What groups of what was used are called. */

/** A call that failed, where it is, and the beginning of what was answered. */
export interface FailedTool {
  tool: string
  source: string
  chatId: string
  title: string
  index: number
  createdAt: number | null
  error: string
}

const MOST_FAILED = 20
const TITLE = 120
const ERROR = 240

/** One tool has many spellings, as `Bash` and `bash`: it is called as it is called most often. */
export function unified(tools: ToolSum[]): { key: string; tools: { calls: number; failures: number } }[] {
  const groups = [...Map.groupBy(tools, ({ group }) => group.toLowerCase()).values()].map((same) => {
    const [most] = same.toSorted((a, b) => b.calls - a.calls)
    const sum = (of: 'calls' | 'failures') => same.reduce((all, each) => all + each[of], 0)
    return { key: most?.group ?? '', tools: { calls: sum('calls'), failures: sum('failures') } }
  })
  return groups.sort((a, b) => b.tools.calls - a.tools.calls || (a.key < b.key ? -1 : 1))
}

/** Every way in which the name of the tool is written. */
export async function spellings(archive: Archive, filter: UsageFilter, tool: string): Promise<string[]> {
  const { tools } = await archive.usage(filter, 'tool')
  const wanted = tool.toLowerCase()
  return tools.flatMap(({ group }) => (group.toLowerCase() === wanted ? [group] : []))
}

export function zoneAsked(timeZone: string | undefined): string | undefined {
  if (timeZone === undefined) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `"${timeZone}" is not a time zone.`,
      'Give one as Europe/Berlin, or leave time_zone out for that of this machine.',
    )
  }
}

/** Groups by chat get the titles of their chats. */
export async function nameChats(
  archive: Archive,
  groups: { key: string; title?: string }[],
  clean: Clean,
): Promise<void> {
  for (const group of groups) {
    const chat = await archive.resolveChat(group.key).catch(() => undefined)
    if (!chat) continue
    const { source, id, title } = clean(chat, chat)
    group.key = `${source}:${id}`
    group.title = preview(title, TITLE)
  }
}

/** Folders, models and tools may be called by what is a secret in one of their chats. */
export function nameGroups(groups: { key: string; names?: string[] }[], clean: Clean): void {
  for (const group of groups) {
    const { key, names = [] } = group
    const clear = named(names, clean)
    // The key of a model is its name in small letters, by which a secret is not known.
    group.key = clear.find((each, i) => each !== names[i]) ?? clean(key, ANYWHERE)
    if (group.names) group.names = clear
  }
}

/** Each by itself: two in a list may be a name and its value. */
export function named(names: string[], clean: Clean): string[] {
  return names.map((name) => clean(name, ANYWHERE))
}

export async function failedTools(
  archive: Archive,
  filter: UsageFilter,
  clean: Clean,
): Promise<FailedTool[]> {
  const calls = await archive.failedCalls(filter, MOST_FAILED)
  return calls.map(({ chat, message, tool }) => ({
    tool: clean(tool ?? '', chat),
    source: chat.source,
    chatId: chat.id,
    title: preview(clean(chat, chat).title, TITLE),
    index: message.index,
    createdAt: message.createdAt ?? null,
    error: preview(clean(saidOf(message.toolResults ?? []), chat), ERROR),
  }))
}

/** What the answer that failed says; the last line of a long one tells most. */
function saidOf(results: ToolResult[]): string {
  const failed = results.find(({ error, exitCode }) => error !== undefined || (exitCode ?? 0) !== 0)
  const { error, text, json, exitCode } = failed ?? results[0] ?? {}
  const said = error || text || (json === undefined ? '' : JSON.stringify(json))
  return said.trim() || (exitCode === undefined ? '' : `exit code ${exitCode}`)
}
