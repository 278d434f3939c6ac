import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Decision } from '../../../../src/agent/agent.ts'
import { get, Problem, post, stream } from '../../lib/api.ts'
import type { AgentEvent, Approval, SessionDetails } from '../../lib/types.ts'
import { isRunResult, type Part, partsOf, withEvent } from './turns.ts'

export interface Dialog {
  parts: Part[]
  running: boolean
  error: unknown
  usage?: { input?: number; output?: number }
  send(message: string): void
  decide(approval: Approval, decision: Decision): Promise<void>
  stop(): void
}

/** One dialog with the agent: what was said before, and what is being said now. */
export function useDialog(
  sessionId: string | undefined,
  model: { provider: string; model?: string } | undefined,
  onBegun: (sessionId: string) => void,
): Dialog {
  const client = useQueryClient()
  const [live, setLive] = useState<{ id?: string; parts: Part[] }>()
  const [running, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const [usage, setUsage] = useState<Dialog['usage']>()
  const ending = useRef<AbortController>(null)
  const stored = useQuery({
    queryKey: ['session', sessionId],
    enabled: sessionId !== undefined && live?.id !== sessionId,
    queryFn: ({ signal }) => get<SessionDetails>(`sessions/${sessionId}`, undefined, signal),
  })
  const waiting = useQuery({
    queryKey: ['approvals', sessionId],
    enabled: stored.data?.status === 'paused',
    queryFn: ({ signal }) => get<{ approvals: Approval[] }>('approvals', undefined, signal),
  })
  useEffect(() => () => ending.current?.abort(), [])

  const parts =
    live && live.id === sessionId
      ? live.parts
      : [
          ...partsOf(stored.data?.messages ?? []),
          ...(waiting.data?.approvals ?? [])
            .filter((approval) => approval.sessionId === sessionId)
            .map((approval): Part => ({ kind: 'approval', approval })),
        ]

  const follow = async (path: string, body: unknown, before: Part[]) => {
    const control = new AbortController()
    ending.current = control
    let id = sessionId
    let shown = before
    const show = (next: Part[]) => {
      shown = next
      setLive({ id, parts: next })
    }
    show(before)
    setRunning(true)
    setError(undefined)
    try {
      for await (const { event, data } of stream(path, body, control.signal)) {
        if (event === 'start' && isStart(data)) {
          id = data.sessionId
          show(shown)
          if (id !== sessionId) onBegun(id)
        } else if (event === 'done' && isRunResult(data)) setUsage(data.usage)
        else if (event === 'error') throw problemOf(data)
        else if (isEvent(data)) show(withEvent(shown, data))
      }
    } catch (failure) {
      if (!control.signal.aborted) setError(failure)
    } finally {
      setRunning(false)
      void client.invalidateQueries({ queryKey: ['sessions'] })
    }
  }

  return {
    parts,
    running,
    error: error ?? stored.error,
    usage,
    send: (message) =>
      void follow('chat', { message, sessionId, ...model }, [...parts, { kind: 'request', text: message }]),
    async decide(approval, decision) {
      const decided = await post<Approval>(`approvals/${approval.id}`, decision)
      const next = withEvent(parts, { type: 'approval', approval: { ...approval, ...decided } })
      setLive({ id: sessionId, parts: next })
      const open = next.some((part) => part.kind === 'approval' && part.approval.decision === undefined)
      if (!open) await follow(`chat/${approval.sessionId}/resume`, {}, next)
    },
    stop: () => ending.current?.abort(),
  }
}

function isEvent(data: unknown): data is AgentEvent {
  return typeof data === 'object' && data !== null && 'type' in data
}

function isStart(data: unknown): data is { sessionId: string } {
  return isEvent(data) && data.type === 'start'
}

function problemOf(data: unknown): Problem {
  const { code = 'UNEXPECTED', message = String(data), hint } = Object(data)
  return new Problem(0, { code: String(code), message: String(message), ...(hint && { hint: String(hint) }) })
}
