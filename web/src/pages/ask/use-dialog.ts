import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Decision } from '../../../../src/agent/agent.ts'
import { get, Problem, post, stream } from '../../lib/api.ts'
import type { Answer, Approval, FollowedEvent, GivenAttachment, Question } from '../../lib/types.ts'
import { type Part, withEvent } from './turns.ts'

export interface Dialog {
  parts: Part[]
  running: boolean
  error: unknown
  usage?: { input?: number; output?: number }
  /** Who answered last. */
  answeredBy?: string
  send(message: string, attachments: GivenAttachment[]): void
  /** Asks in other words from a request on: another chat goes on from there. */
  ask(requestId: string, message: string): void
  decide(approval: Approval, decision: Decision): Promise<void>
  /** Answers what a server asks while its tool runs; the run goes on by itself. */
  answer(question: Question, answer: Answer): Promise<void>
  stop(): void
}

/** What is known of one dialog, and how far it was heard. */
interface Heard {
  id: string | undefined
  parts: Part[]
  running: boolean
  usage?: Dialog['usage']
  answeredBy?: string
  error?: unknown
  place?: string
}

const NOTHING: Heard = { id: undefined, parts: [], running: false }

/**
 * One dialog with the agent. It is answered on the server: this only listens, from where it was left, and
 * leaving the page or reloading it ends nothing.
 */
export function useDialog(
  sessionId: string | undefined,
  model: { provider: string; model?: string } | undefined,
  onBegun: (sessionId: string) => void,
): Dialog {
  const client = useQueryClient()
  const [heard, setHeard] = useState<Heard>(NOTHING)
  const [sending, setSending] = useState<string>()
  const [error, setError] = useState<unknown>()
  // Something new is to be heard in a dialog that was heard to its end.
  const [asked, setAsked] = useState(0)
  const now = heard.id === sessionId ? heard : { ...NOTHING, id: sessionId }

  const before = useEffectEvent(() => now)
  const ended = useEffectEvent(() => void client.invalidateQueries({ queryKey: ['sessions'] }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is when it is listened to again
  useEffect(() => {
    if (!sessionId) return
    return listen(sessionId, before(), setHeard, () => ended())
  }, [sessionId, asked])

  const begin = async (message: string, start: () => Promise<{ sessionId: string }>) => {
    setError(undefined)
    setSending(message)
    try {
      const begun = await start()
      if (begun.sessionId === sessionId) setAsked((times) => times + 1)
      else onBegun(begun.sessionId)
    } catch (failure) {
      setError(failure)
    } finally {
      setSending(undefined)
      void client.invalidateQueries({ queryKey: ['sessions'] })
    }
  }
  const started = (body: object) => post<{ sessionId: string }>('runs', { ...body, ...model })

  return {
    parts: sending ? [...now.parts, { kind: 'request', text: sending }] : now.parts,
    running: now.running || sending !== undefined,
    error: error ?? now.error,
    usage: now.usage,
    answeredBy: now.answeredBy,
    send: (message, attachments) =>
      void begin(message, () =>
        started({ message, sessionId, ...(attachments.length > 0 && { attachments }) }),
      ),
    ask: (requestId, message) =>
      void begin(message, () => started({ message, sessionId, instead: requestId })),
    async decide(approval, decision) {
      setError(undefined)
      try {
        const decided = await post<Approval>(`approvals/${approval.id}`, decision)
        setHeard(() => ({ ...now, parts: withEvent(now.parts, { type: 'approval', approval: decided }) }))
        const { approvals } = await get<{ approvals: Approval[] }>('approvals')
        if (!approvals.some((each) => each.sessionId === approval.sessionId))
          await post(`sessions/${approval.sessionId}/resume`)
        setAsked((times) => times + 1)
      } catch (failure) {
        setError(failure)
      }
    },
    async answer({ id }, given) {
      setError(undefined)
      try {
        await post(`questions/${id}`, given)
      } catch (failure) {
        setError(failure)
      }
    },
    stop() {
      if (sessionId) post(`sessions/${sessionId}/stop`).catch(setError)
    },
  }
}

const RETRY_MS = 1_000
/** What comes close together is shown together. */
const SHOWN_MS = 30

/** Hears a dialog until its answer has ended, while the page is in sight; what breaks off is taken up again. */
function listen(id: string, from: Heard, show: (heard: Heard) => void, ended: () => void): () => void {
  let now: Heard = { ...from, id, error: undefined }
  let going: AbortController | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let showing: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const showNow = () => {
    clearTimeout(showing)
    showing = undefined
    show(now)
  }
  const open = async () => {
    clearTimeout(retry)
    if (going || isOver || document.hidden) return
    const mine = new AbortController()
    going = mine
    try {
      const path = `sessions/${id}/events${now.place ? `?after=${now.place}` : ''}`
      for await (const event of stream(path, undefined, mine.signal)) {
        now = withHeard(now, event.data as FollowedEvent, event.id)
        showing ??= setTimeout(showNow, SHOWN_MS)
      }
      isOver = true
      now = { ...now, running: false }
    } catch (failure) {
      if (mine.signal.aborted) return
      // Refused is refused; a connection that broke is tried again.
      isOver = failure instanceof Problem && failure.status >= 400
      if (isOver) now = { ...now, running: false, error: failure }
      else retry = setTimeout(() => void open(), RETRY_MS)
    } finally {
      if (going === mine) going = undefined
    }
    showNow()
    if (isOver) ended()
  }
  const close = () => {
    clearTimeout(retry)
    going?.abort()
    going = undefined
  }
  const seen = () => (document.hidden ? close() : void open())
  document.addEventListener('visibilitychange', seen)
  void open()
  return () => {
    document.removeEventListener('visibilitychange', seen)
    clearTimeout(showing)
    close()
  }
}

function withHeard(heard: Heard, event: FollowedEvent, place: string | undefined): Heard {
  const next = { ...heard, ...(place !== undefined && { place }), parts: withEvent(heard.parts, event) }
  switch (event.type) {
    case 'start':
      return { ...next, running: true, error: undefined, answeredBy: `${event.provider}/${event.model}` }
    case 'done':
      return { ...next, running: false, usage: event.result.usage }
    case 'stopped':
      return { ...next, running: false }
    case 'error':
      return { ...next, running: false, error: new Problem(0, event) }
    default:
      return next
  }
}
