import type { ToolResult } from '../model/chat.ts'
import type { Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { type Choice, chosenChats, GIVE_IDS } from './chosen.ts'
import { openChat } from './current.ts'
import { EVIDENCE_KINDS, type EvidenceKind, evidenceIn, type Piece } from './evidence-in.ts'
import type { NotFound } from './gather.ts'
import type { Asker, LiveChat } from './live.ts'
import { saidIn } from './live.ts'
import { placeOf, sizeOf } from './page.ts'
import { cutAt } from './preview.ts'

interface Evidence {
  kind: EvidenceKind
  value: string
  title?: string
  language?: string
  /** What was done to a file, each once. */
  actions?: string[]
  /** Of the last run, and how often it failed. */
  exitCode?: number
  failures?: number
  count: number
  /** Where it stands, first and last. */
  where: Where[]
}

interface Where {
  chatId: string
  messageId: string
  index: number
  createdAt: number | null
}

export interface EvidenceAnswer {
  totals: Partial<Record<EvidenceKind, number>>
  evidence: Evidence[]
  notFound?: NotFound[]
  leftOut?: { items: number; cursor: string; how: string }
  notes?: string[]
}

export interface EvidenceInput extends Choice {
  kinds?: EvidenceKind[]
  max_chars?: number
  cursor?: string
}

const SHOWN_VALUE = 600
const SHOWN_PLACES = 2

/** What chats cite, link to, attach, touch, run and show, each thing once, within `room` characters of JSON. */
export async function collectEvidence(
  asker: Asker,
  input: EvidenceInput,
  clean: Clean,
  room: number,
  onProgress?: (chats: number, of: number) => void,
): Promise<EvidenceAnswer> {
  const kinds = new Set(input.kinds?.length ? input.kinds : EVIDENCE_KINDS)
  const found = new Map<string, Evidence>()
  const seen = new Map<string, boolean>()
  const notFound: NotFound[] = []
  const { names, notes } = await chosenChats(asker.archive, input)
  for (const [number, name] of names.entries()) {
    try {
      collect(await openChat(asker, name), kinds, clean, found, seen)
    } catch (error) {
      if (!(error instanceof RecollectError) || error.code.startsWith('ARCHIVE_')) throw error
      notFound.push({ id: name, error: error.message })
    }
    onProgress?.(number + 1, names.length)
  }
  if (notFound.length > 0 && notFound.length === input.chatIds?.length) {
    throw new RecollectError('SESSION_NOT_FOUND', notFound.map(({ error }) => error).join('; '), GIVE_IDS, {
      notFound,
    })
  }
  const order = (each: Evidence) => EVIDENCE_KINDS.indexOf(each.kind)
  const all = [...found.values()].sort((a, b) => order(a) - order(b))
  const totals: EvidenceAnswer['totals'] = {}
  for (const { kind } of all) totals[kind] = (totals[kind] ?? 0) + 1
  const answer = { totals, evidence: [], ...(notFound.length > 0 && { notFound }), ...(notes && { notes }) }
  return page(answer, all, input.cursor, room)
}

function page(
  answer: EvidenceAnswer,
  all: Evidence[],
  cursor: string | undefined,
  room: number,
): EvidenceAnswer {
  const from = placeOf(cursor).item
  let left = room - sizeOf(answer) - 200
  let end = from
  for (; end < all.length; end++) {
    left -= sizeOf(all[end])
    if (left < 0 && end > from) break
  }
  const items = all.length - end
  return {
    ...answer,
    evidence: all.slice(from, end),
    ...(items > 0 && {
      leftOut: {
        items,
        cursor: `${end}.0`,
        how: 'Call again with this cursor, fewer kinds or more max_chars.',
      },
    }),
  }
}

function collect(
  live: LiveChat,
  kinds: Set<EvidenceKind>,
  clean: Clean,
  found: Map<string, Evidence>,
  seen: Map<string, boolean>,
): void {
  const { chat, messages } = live
  const said = saidIn(live)
  const answers = new Map<string, ToolResult>()
  for (const { toolResults } of messages)
    for (const result of toolResults ?? []) answers.set(result.callId, result)
  for (const message of messages) {
    // A fork repeats what its original showed, whichever of them comes first.
    const name = `${chat.source} ${message.id}`
    const before = seen.get(name)
    seen.set(name, message.copy ?? false)
    if (before !== undefined && (before || message.copy)) continue
    const where = {
      chatId: chat.id,
      messageId: message.id,
      index: message.index,
      createdAt: message.createdAt ?? null,
    }
    if (!evidenceIn(message, answers).some(({ kind }) => kinds.has(kind))) continue
    // Of the whole message, before anything is taken out of it: a long URL or text is cut there.
    const told = (message.toolCalls ?? []).flatMap(({ id }) => {
      const answer = answers.get(id)
      return answer ? [[id, clean(answer, said)] as const] : []
    })
    for (const piece of evidenceIn(clean(message, said), new Map(told))) {
      if (kinds.has(piece.kind)) merge(found, clean(piece, said), where)
    }
  }
}

function merge(found: Map<string, Evidence>, piece: Piece, where: Where): void {
  const key = `${piece.kind} ${sameness(piece)}`
  const known = found.get(key)
  if (!known) {
    const { kind, value, title, language, action, exitCode, failed } = piece
    found.set(key, {
      kind,
      value:
        value.length > SHOWN_VALUE ? `${cutAt(value, SHOWN_VALUE)}… [${value.length} characters]` : value,
      ...(title && { title: cutAt(title, 200) }),
      ...(language && { language }),
      ...(action && { actions: [action] }),
      ...(exitCode !== undefined && { exitCode }),
      ...(failed && { failures: 1 }),
      count: 1,
      where: [where],
    })
    return
  }
  known.count++
  if (known.title === undefined && piece.title) known.title = cutAt(piece.title, 200)
  if (known.language === undefined && piece.language) known.language = piece.language
  if (piece.action && !known.actions?.includes(piece.action)) {
    known.actions = [...(known.actions ?? []), piece.action]
  }
  if (piece.kind === 'command') known.exitCode = piece.exitCode
  if (piece.failed) known.failures = (known.failures ?? 0) + 1
  if (known.where.length < SHOWN_PLACES) known.where.push(where)
  else known.where[SHOWN_PLACES - 1] = where
}

/** What makes two pieces the same thing. */
function sameness({ kind, value }: Piece): string {
  if (kind === 'code') return value.replace(/\s+/g, ' ').trim()
  if (kind === 'command') return value.replace(/\s+/g, ' ')
  // `https://a.org` and `https://a.org/#top` are one page.
  return /^https?:/.test(value) ? value.replace(/#.*$/, '').replace(/\/$/, '') : value
}
