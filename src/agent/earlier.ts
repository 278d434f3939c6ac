import type { Earlier, RunRequest } from './agent.ts'
import { openCalls } from './rounds.ts'
import type { Call, NewEvent } from './run-event.ts'
import type { RunLog } from './runs.ts'

/** Writes down what a program says of a dialog: its own instructions, and what was said elsewhere. Roles stay roles. */
export function takeHistory(log: RunLog, { system, history = [] }: RunRequest): void {
  const told = log.events.findLast((event) => event.type === 'system')?.text
  if (system !== undefined && system !== told) log.append({ type: 'system', text: system })
  for (const message of history) takeEarlier(log, message)
}

export function takeEarlier(log: RunLog, message: Earlier): void {
  log.append(eventFor(log, message))
}

/** What the tools of the program that asked gave; of calls that nobody made nothing is taken. */
export function takeResults(log: RunLog, results: RunRequest['toolResults'] = []): void {
  for (const { callId, text } of results) {
    const call = openCalls(log.events)?.calls.find(({ id }) => id === callId)
    if (call) log.append({ type: 'result', callId, server: call.server, tool: call.tool, ok: true, text })
  }
}

function eventFor(log: RunLog, message: Earlier): NewEvent {
  const id = `g${log.events.length}`
  switch (message.role) {
    case 'user': {
      const { text, attachments } = message
      return { type: 'request', id, text, attachments, provider: '', model: '', given: true }
    }
    case 'assistant': {
      const { text, calls = [] } = message
      const content = [
        ...(text ? [{ type: 'text', text }] : []),
        ...calls.map(({ id: toolCallId, name: toolName, args }) => ({
          type: 'tool-call',
          toolCallId,
          toolName,
          input: args ?? {},
        })),
      ]
      const called = calls.map((call): Call => ({ ...call, tool: call.name, client: true }))
      const made = called.length > 0 && { calls: called }
      return { type: 'answer', id, text, ...made, content, model: '', given: true }
    }
    case 'tool': {
      const { callId, text } = message
      const call = openCalls(log.events)?.calls.find(({ id: called }) => called === callId)
      return { type: 'result', callId, tool: call?.tool ?? 'unknown', ok: true, text }
    }
  }
}
