import { RecollectError } from '../model/errors.ts'
import type { Approval, Decision } from './agent.ts'
import { decisionsIn, openCalls } from './rounds.ts'
import { BUDGET_CALL, type Call, type EventOf, type NewEvent, type RunEvent } from './run-event.ts'
import type { Signer } from './signature.ts'

/** A call that a person has to allow, as it is written down. What is signed is exactly what would run. */
export function askFor(call: Call, hash: string, sessionId: string, number: number, signer: Signer) {
  const id = `${sessionId}.${number}`
  const { server = '', tool, args } = call
  const signature = signer.sign(questionOf({ id, hash }, sessionId, call))
  return { type: 'approval', id, callId: call.id, server, tool, args, hash, signature } satisfies NewEvent
}

/** The session that an approval belongs to. */
export function dialogOf(approvalId: string): string {
  return approvalId.slice(0, approvalId.lastIndexOf('.'))
}

export function approvalFrom(
  { id, server, tool, args, at }: EventOf<'approval'>,
  decision?: EventOf<'decision'>,
): Approval {
  return {
    id,
    sessionId: dialogOf(id),
    tool,
    server,
    args,
    askedAt: at,
    ...(decision && { decision: decision.decision }),
  }
}

/** What a paused run waits for, decided already or not. */
export function approvalsIn(events: RunEvent[]): Approval[] {
  const open = openCalls(events)
  const decisions = decisionsIn(events)
  const about = (open?.calls ?? []).flatMap((call) => {
    const asked = open?.round.approvals.get(call.id)
    return asked ? [approvalFrom(asked, decisions.get(asked.id))] : []
  })
  const request = events.findLastIndex((event) => event.type === 'request')
  const spending = events.slice(request + 1).flatMap((event) => {
    if (event.type !== 'approval' || event.callId !== BUDGET_CALL || decisions.has(event.id)) return []
    return [approvalFrom(event)]
  })
  return [...about, ...spending]
}

export function decisionOn(
  asked: EventOf<'approval'>,
  { decision, reason, remember }: Decision,
  signer: Signer,
) {
  const said = { id: asked.id, decision, ...(reason && { reason }), ...(remember && { remember }) }
  return {
    type: 'decision',
    ...said,
    signature: signer.sign({ ...said, question: asked.signature }),
  } satisfies NewEvent
}

/**
 * Whether a person allowed this very call. Both what was asked and what was decided carry a signature;
 * where either does not fit the call that would be run, somebody changed the file.
 */
export function isAllowed(
  call: Call,
  asked: EventOf<'approval'>,
  decided: EventOf<'decision'>,
  sessionId: string,
  signer: Signer,
): boolean {
  const { id, decision, reason, remember } = decided
  const said = { id, decision, ...(reason && { reason }), ...(remember && { remember }) }
  const isGenuine =
    asked.callId === call.id &&
    signer.isSigned(questionOf(asked, sessionId, call), asked.signature) &&
    signer.isSigned({ ...said, question: asked.signature }, decided.signature)
  if (!isGenuine) {
    throw new RecollectError(
      'APPROVAL_REFUSED',
      `The approval of ${call.tool} does not belong to this call: it was changed after it was asked for.`,
      'Nothing was run. Ask again.',
    )
  }
  return decision === 'allow'
}

function questionOf(
  { id, hash }: { id: string; hash: string },
  sessionId: string,
  { id: callId, server = '', tool, args }: Call,
) {
  return { id, hash, sessionId, callId, server, tool, args: args ?? null }
}
