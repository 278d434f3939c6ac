import type { FollowedEvent } from '../agent/agent.ts'
import type { Usage } from '../model/chat.ts'
import { type ResponseBody, ResponseTeller } from './openai-response.ts'
import { responseAsked, responseId, responsePlace } from './openai-responses.ts'
import type { Wanted } from './openai-run.ts'

/** What happened in one response of a dialog: from a request, or from the results of a program's tools, to its end. */
interface Part {
  /** How many answers there were before. */
  answers: number
  events: FollowedEvent[]
  request: { number: number; json: boolean }
  /** `provider/model` */
  model: string
}

/** A response as it was given, told again from the file of its dialog. */
export async function storedResponse(
  at: Pick<Wanted, 'agent' | 'dialogs'>,
  id: string,
): Promise<ResponseBody> {
  const { sessionId, count, messages } = await responsePlace(at, id)
  const told: FollowedEvent[] = []
  // What is there already, without waiting for more.
  await at.agent.follow(sessionId, undefined, (event) => told.push(event), AbortSignal.abort())
  const parts = partsIn(told)
  const here = parts.findIndex(({ answers }) => answers === count)
  const { events = [], request = { number: 0, json: false }, model } = parts[here] ?? {}
  const before = parts[here - 1]
  const asked = responseAsked.parse({
    input: '',
    model,
    ...(before && { previous_response_id: responseId(sessionId, before.answers) }),
    ...(request.json && { text: { format: { type: 'json_object' } } }),
  })
  const createdAt = messages.filter(({ role }) => role === 'user')[request.number]?.createdAt
  const teller = new ResponseTeller(asked, undefined, createdAt)
  teller.pass({ type: 'start', sessionId, provider: '', model: '', answers: count })
  const usage = { input: 0, output: 0, cached: 0, reasoning: 0 }
  for (const event of events) {
    switch (event.type) {
      case 'text':
      case 'thinking':
        teller.pass(event)
        break
      case 'step':
        teller.pass(event)
        add(usage, event.usage)
        break
      case 'done':
        if (event.result.status !== 'paused') return teller.whole({ result: event.result, usage, told: [] })
        break
      case 'error':
        return teller.failed(event)
      case 'stopped':
        return teller.sofar('cancelled')
    }
  }
  const { status } = await at.agent.session(sessionId)
  if (status === 'failed')
    return teller.failed({ code: 'INTERRUPTED', message: 'The process that was answering ended before it.' })
  return teller.sofar('in_progress')
}

function partsIn(told: FollowedEvent[]): Part[] {
  const parts: Part[] = []
  let open: Part | undefined
  let answers = 0
  let request = { number: -1, json: false }
  let model = ''
  for (const event of told) {
    if (event.type === 'request') request = { number: request.number + 1, json: event.json === true }
    if (event.type === 'start') {
      answers = event.answers
      model = `${event.provider}/${event.model}`
      open = undefined
    }
    const isOne =
      event.type === 'start' || event.type === 'text' || event.type === 'thinking' || event.type === 'step'
    if (!open && isOne) {
      open = { answers, events: [], request, model }
      parts.push(open)
    }
    open?.events.push(event)
    if (event.type === 'step') answers++
    if (event.type === 'done' || event.type === 'stopped' || event.type === 'error') open = undefined
  }
  return parts
}

function add(sum: Required<Pick<Usage, 'input' | 'output' | 'cached' | 'reasoning'>>, usage: Usage): void {
  for (const field of ['input', 'output', 'cached', 'reasoning'] as const) sum[field] += usage[field] ?? 0
}
