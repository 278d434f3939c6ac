import { folderKey } from '../../model/folder-key.ts'
import { repositoryKey, repositoryOf } from '../../model/repository.ts'
import { redactJsonIn, type Seen, secretsIn } from '../../platform/redact.ts'
import { redactHeader, redactMessage } from '../../platform/redact-message.ts'
import type { AtRest } from '../archive.ts'
import { detailOf, hashOf } from '../body.ts'
import { Bodies, type BodyPlace } from './blocks.ts'
import type { Connection } from './connection.ts'
import { eraseWords } from './index-merge.ts'
import { dropSums } from './kept-usage.ts'
import { messageFrom } from './message-row.ts'
import { toolRows } from './prepared-message.ts'
import { eraseUnusedFolders } from './repositories.ts'
import { keepSeen, seenBy } from './seen-secrets.ts'
import { eraseUnusedTools, noteTools } from './tools.ts'
import { readCheckpoint } from './unit-row.ts'
import { eraseVectors } from './vectors.ts'
import { noteWipe } from './wipe.ts'
import { Writer } from './write.ts'

/** So many messages are rewritten in one transaction: a kill loses no more than one, and nothing of the record. */
const MESSAGES_AT_ONCE = 2_000

/** One chat, within the transaction of whoever syncs. */
export function redactChat(connection: Connection, chat: number): void {
  redactSome(connection, [chat], 0)
}

interface Step extends Omit<AtRest, 'pending' | 'running'> {
  next: number
  /** A tool is called otherwise. */
  renamed: boolean
}

export function redactSome(connection: Connection, keys: number[], from: number): Step {
  const writer = new Writer(connection)
  const changed = new Set<number>()
  const titled = new Set<number>()
  const step: Step = { chats: 0, messages: 0, secrets: 0, next: from, renamed: false }
  while (step.next < keys.length && step.messages < MESSAGES_AT_ONCE) {
    const chat = keys[step.next++]!
    const secrets = rewrite(connection, writer, chat, { step, changed, titled })
    if (secrets === undefined) continue
    step.secrets += secrets
    step.messages = changed.size
    step.chats++
  }
  if (changed.size > 0 || titled.size > 0) {
    eraseWords(connection, changed, titled)
    eraseVectors(connection, changed)
    noteWipe(connection)
  }
  writer.finish()
  for (const chat of titled) {
    cleanRow(connection, chat)
    dropSums(connection, chat)
  }
  if (titled.size > 0) eraseUnusedFolders(connection)
  if (step.renamed) eraseUnusedTools(connection)
  return step
}

/** How many secrets were taken out of a chat; undefined where none were in it. */
function rewrite(
  connection: Connection,
  writer: Writer,
  chat: number,
  { step, changed, titled }: { step: Step; changed: Set<number>; titled: Set<number> },
): number | undefined {
  const { prepare } = connection
  const open = writer.chatAt(chat)
  if (!open) return undefined
  prepare('INSERT OR IGNORE INTO redacted_chat (chat) VALUES (?)').run(chat)
  const messages = [...messagesOf(connection, chat)]
  const seen = seenBy(connection, chat)
  let secrets = 0
  for (const message of messages)
    for (const { secret } of secretsIn(bodyOf(message))) {
      seen.add(secret)
      secrets++
    }
  const header = { title: open.title ?? undefined }
  for (const { secret } of secretsIn(header)) seen.add(secret)
  keepSeen(connection, chat, seen)
  prepare('DELETE FROM secret_todo WHERE chat = ?').run(chat)

  const before = changed.size
  for (const message of messages) {
    const clean = redactMessage(message, seen)
    const detail = detailOf(clean)
    if (clean.text === message.text && clean.model === message.model && detail === detailOf(message)) continue
    const at = place(connection, message.key)
    const body = { text: Buffer.from(clean.text), detail: Buffer.from(detail ?? '') }
    const put = writer.bodies.replace(open, { block: at.block!, slot: at.slot! }, body)
    prepare(
      `UPDATE chat_message SET hash = ?, model = ?, block = ?, slot = ?, text_bytes = ?, detail_bytes = ?
       WHERE key = ?`,
    ).run(
      hashOf(clean, detail),
      clean.model ?? null,
      put.block,
      put.slot,
      put.textBytes,
      put.detailBytes,
      message.key,
    )
    const tools = toolRows(clean)
    if (JSON.stringify(tools) !== JSON.stringify(toolRows(message))) {
      noteTools(connection, message.key, tools, true)
      step.renamed = true
    }
    changed.add(message.key)
    if (!open.isRemote) writer.log.message(chat, message.key)
    if (!message.copy) writer.index(message.key, chat, clean)
  }
  const isTold = silenceUnits(connection, chat, seen)
  const title = open.title === null ? null : (redactHeader({ title: open.title }, seen).title ?? null)
  const isRow = title !== open.title || Object.keys(rowChanges(connection, chat, seen)).length > 0
  if (changed.size === before && !isTold && !isRow) return undefined
  open.title = title
  open.models = new Set([...open.models].map((model) => redactJsonIn(model, seen)))
  for (const teller of open.tellers.values()) {
    teller.header = redactHeader(teller.header, seen)
    teller.changed = true
  }
  open.disordered = true
  titled.add(chat)
  writer.retitled.add(chat)
  return Math.max(secrets, changed.size - before)
}

/** What a source noted to go on reading, and what is wrong with a file, may hold them too. */
function silenceUnits(connection: Connection, chat: number, seen: Seen): boolean {
  const { prepare } = connection
  let isTold = false
  const rows = prepare(
    'SELECT key, checkpoint FROM unit JOIN unit_chat ON unit_chat.unit = unit.key WHERE unit_chat.chat = ?',
  ).all(chat)
  for (const { key, checkpoint } of rows) {
    const noted = JSON.stringify(readCheckpoint(checkpoint) ?? null)
    if (redactJsonIn(noted, seen) !== noted) {
      prepare('UPDATE unit SET checkpoint = NULL WHERE key = ?').run(key as number)
      isTold = true
    }
    for (const problem of prepare('SELECT rowid, reason FROM problem WHERE unit = ?').all(key as number)) {
      const clean = redactJsonIn(String(problem.reason), seen)
      if (clean === problem.reason) continue
      prepare('UPDATE problem SET reason = ? WHERE rowid = ?').run(clean, problem.rowid as number)
      isTold = true
    }
  }
  return isTold
}

const COLUMNS = [
  ...(['title', 'name', 'first_request', 'repository', 'git_remote', 'branch'] as const),
  ...(['resume', 'workspace', 'format', 'models'] as const),
]
type Row = Partial<Record<(typeof COLUMNS)[number], string>>

/** What is said of a chat in its own row, and the keys that are made of it. */
function cleanRow(connection: Connection, chat: number): void {
  const { prepare } = connection
  const changes = rowChanges(connection, chat, seenBy(connection, chat))
  for (const [column, clean] of Object.entries(changes))
    prepare(`UPDATE chat SET ${column} = ? WHERE key = ?`).run(clean, chat)
  const { workspace, repository, git_remote: remote } = changes
  if (workspace !== undefined)
    prepare('UPDATE chat SET workspace_key = ? WHERE key = ?').run(folderKey(workspace), chat)
  if (repository === undefined && remote === undefined) return
  const row = prepare('SELECT repository, git_remote FROM chat WHERE key = ?').get(chat) as Row
  const about = repositoryOf(row.repository ?? undefined, row.git_remote ?? undefined)
  prepare('UPDATE chat SET repository_key = ? WHERE key = ?').run(
    (about && repositoryKey(about)) ?? null,
    chat,
  )
}

/** What would change in the row of a chat, without secrets. */
function rowChanges({ prepare }: Connection, chat: number, seen: Seen): Row {
  const row = prepare(`SELECT ${COLUMNS.join(', ')} FROM chat WHERE key = ?`).get(chat) ?? {}
  const changes: Row = {}
  for (const column of COLUMNS) {
    const said = row[column]
    if (typeof said !== 'string') continue
    const clean = column === 'models' ? cleanList(said, seen) : redactJsonIn(said, seen)
    if (clean !== said) changes[column] = clean
  }
  return changes
}

/** What is said of a chat in its own row. */
export function namesOf({ prepare }: Connection, chat: number): string[] {
  const row = prepare(`SELECT ${COLUMNS.join(', ')} FROM chat WHERE key = ?`).get(chat) ?? {}
  return Object.values(row).filter((said): said is string => typeof said === 'string')
}

/** Each by itself: two in a list may be a name and its value. */
function cleanList(json: string, seen: Seen): string {
  return JSON.stringify((JSON.parse(json) as string[]).map((each) => redactJsonIn(each, seen)))
}

export function allChats({ prepare }: Connection): number[] {
  return prepare('SELECT key FROM chat ORDER BY key DESC')
    .all()
    .map((row) => Number(row.key))
}

export function* messagesOf(connection: Connection, chat: number) {
  const bodies = new Bodies(connection)
  for (const row of connection.prepare('SELECT * FROM chat_message WHERE chat = ? ORDER BY place').all(chat))
    yield messageFrom(row, bodies)
}

export function bodyOf({
  text,
  thinking,
  via,
  model,
  toolCalls,
  toolResults,
  citations,
  attachments,
  files,
}: ReturnType<typeof messageFrom>) {
  const named = attachments?.map(({ data: _, ...rest }) => rest)
  return { text, thinking, via, model, toolCalls, toolResults, citations, attachments: named, files }
}

function place({ prepare }: Connection, message: number): BodyPlace {
  return prepare('SELECT block, slot FROM chat_message WHERE key = ?').get(message) as unknown as BodyPlace
}
