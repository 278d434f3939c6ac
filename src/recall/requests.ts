import type { Via } from '../model/chat.ts'
import type { Clean, SaidIn } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { currentChat, HOW_TO_NAME, openChat } from './current.ts'
import { type Asker, type LiveChat, requestsOf, saidIn } from './live.ts'
import { sizeOf } from './page.ts'
import { cutAt, preview } from './preview.ts'
import { noteRefusalCode } from './refusal-code.ts'

/** These texts are read by models and hosts: they are part of the contract. */
export interface Refusal {
  success: false
  error: string
  /** The dialogs that may be the current one, where that cannot be told. */
  candidates?: { sessionId: string; firstRequest: string; updatedAt: number | null }[]
  hint?: string
}

/** Of the current dialog: how sure it is that it is the one, and why. */
interface Matched {
  matched?: string
}

export interface FirstRequest extends Matched {
  success: true
  sessionId: string
  firstRequest: string
  timestamp: number | null
  requestsCount: number
}

export interface OneRequest extends Matched {
  success: true
  sessionId: string
  request: string
  index: number
  timestamp: number | null
  /** How it came, where it was no ordinary prompt. */
  via?: Via
  totalRequests: number
  /** Where the client takes less than the full text: how much is missing, and how to get it. */
  leftOut?: { characters: number; how: string }
}

export interface RequestList extends Matched {
  success: true
  sessionId: string
  totalRequests: number
  requests: { index: number; preview: string; timestamp: number | null; via?: Via }[]
}

const LISTED = 20
const MOST_LISTED = 100

export async function firstRequest(
  asker: Asker,
  input: { sessionId?: unknown },
  clean: Clean = (value) => value,
): Promise<FirstRequest | Refusal> {
  return await answerFromChat(asker, input.sessionId, clean, ({ chat, messages }, matched, said) => {
    const requests = requestsOf(messages)
    const first = requests[0]
    if (!first || first.text.trim() === '')
      return refused('FIRST_REQUEST_NOT_FOUND', 'First request not available')
    return {
      success: true,
      sessionId: chat.id,
      ...matched,
      firstRequest: preview(clean(first.text, said)),
      timestamp: first.createdAt ?? null,
      requestsCount: requests.length,
    }
  })
}

/** `clean` takes out what must not leave; `room` is the most characters of JSON that the client takes. */
export async function oneRequest(
  asker: Asker,
  { index, sessionId }: { index?: unknown; sessionId?: unknown },
  { clean = (value) => value, room = Number.POSITIVE_INFINITY }: { clean?: Clean; room?: number } = {},
): Promise<OneRequest | Refusal> {
  if (index === undefined || index === null) return refused('INVALID_INDEX', 'Index parameter is required')
  if (!isIndex(index)) return refused('INVALID_INDEX', 'Index must be 1 or greater')
  return await answerFromChat(asker, sessionId, clean, ({ chat, messages }, matched, said) => {
    const requests = requestsOf(messages)
    const request = requests[index - 1]
    if (!request)
      return refused('INVALID_INDEX', `Index ${index} exceeds total requests (${requests.length})`)
    const answer: OneRequest = {
      success: true,
      sessionId: chat.id,
      ...matched,
      request: clean(request.text, said),
      index,
      timestamp: request.createdAt ?? null,
      ...(request.via && { via: request.via }),
      totalRequests: requests.length,
    }
    return sizeOf(answer) <= room ? answer : shortened(answer, request.index, room)
  })
}

function shortened(answer: OneRequest, place: number, room: number): OneRequest {
  const { request, sessionId } = answer
  const how = `gather_chats with chatIds ["${sessionId}"], from ${place}, to ${place} gives it in parts.`
  for (let most = room; ; most = Math.floor(most * 0.9)) {
    const text = cutAt(request, most)
    const cut = { ...answer, request: text, leftOut: { characters: request.length - text.length, how } }
    if (sizeOf(cut) <= room || most < 100) return cut
  }
}

export async function listRequests(
  asker: Asker,
  { sessionId, from = 1, limit = LISTED }: { sessionId?: unknown; from?: unknown; limit?: unknown },
  { clean = (value) => value, room = Number.POSITIVE_INFINITY }: { clean?: Clean; room?: number } = {},
): Promise<RequestList | Refusal> {
  if (!isIndex(from)) return refused('INVALID_INDEX', 'Index must be 1 or greater')
  const most = isIndex(limit) ? Math.min(limit, MOST_LISTED) : LISTED
  return await answerFromChat(asker, sessionId, clean, ({ chat, messages }, matched, said) => {
    const requests = requestsOf(messages)
    const listed = requests.slice(from - 1, from - 1 + most).map((request, i) => ({
      index: from + i,
      preview: preview(clean(request.text, said)),
      timestamp: request.createdAt ?? null,
      ...(request.via && { via: request.via }),
    }))
    const answer = {
      success: true as const,
      sessionId: chat.id,
      ...matched,
      totalRequests: requests.length,
      requests: listed,
    }
    // The index of the last one says from where to go on.
    while (listed.length > 1 && sizeOf(answer) > room) listed.pop()
    return answer
  })
}

async function answerFromChat<T>(
  asker: Asker,
  sessionId: unknown,
  clean: Clean,
  answer: (live: LiveChat, matched: Matched, said: SaidIn) => T | Refusal,
): Promise<T | Refusal> {
  try {
    const given = typeof sessionId === 'string' ? sessionId.trim() : ''
    if (sessionId !== undefined && sessionId !== null && typeof sessionId !== 'string') {
      return refused('SESSION_NOT_FOUND', `Session not found: ${String(sessionId)}`)
    }
    const current =
      given && given !== 'current' ? { live: await openChat(asker, given) } : await currentChat(asker)
    if ('candidates' in current) return unsure(current.candidates, clean)
    const { live, ...matched } = current
    if (live.messages.length === 0)
      return refused('CHAT_DATA_NOT_FOUND', 'Chat data not available for session')
    return answer(live, matched, saidIn(live))
  } catch (error) {
    const known = refusalOf(error)
    if (known === undefined) throw error
    return known
  }
}

/** Which dialog it is cannot be told: those that it may be, for the model to choose by their first words. */
function unsure(possible: LiveChat[], clean: Clean): Refusal {
  const refusal = refused('DIALOG_NOT_FOUND', 'No active dialog found')
  if (possible.length === 0) return refusal
  refusal.candidates = possible.map(({ chat, messages, unsynced }) => ({
    sessionId: chat.id,
    firstRequest: preview(clean(requestsOf(messages)[0]?.text ?? '', saidIn({ chat, messages, unsynced }))),
    updatedAt: chat.updatedAt ?? null,
  }))
  refusal.hint = HOW_TO_NAME
  return refusal
}

/** What an error is called here; nothing for one that nobody expected. */
function refusalOf(error: unknown): Refusal | undefined {
  const isBusy =
    error instanceof RecollectError
      ? error.code.startsWith('ARCHIVE_')
      : // SQLite's own, of a statement that could not wait any longer or found no file.
        error instanceof Error && 'errcode' in error
  if (isBusy) return refused('ARCHIVE_UNAVAILABLE', 'Service temporarily unavailable')
  return error instanceof RecollectError ? refused(error.code, error.message) : undefined
}

function refused(code: string, error: string): Refusal {
  const refusal: Refusal = { success: false, error }
  noteRefusalCode(refusal, code)
  return refusal
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1
}
