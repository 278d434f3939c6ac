import { RecollectError } from '../../model/errors.ts'
import { type CallOptions, withGate } from '../call.ts'
import { EXIT } from '../errors.ts'
import { dateTime, pastEnd, wholeNumber } from '../format.ts'
import { oneLine, paint, printable } from '../paint.ts'

interface Options extends CallOptions {
  index?: string
  from?: string
  limit?: string
}

/** How a request came, where it was no ordinary prompt; a slash command is named as it is. */
const WAYS: Record<string, string> = {
  queued: 'typed while it worked',
  refusal: 'said when refusing a tool',
  answer: 'answer to its question',
}

/** What was asked in a chat: all of it as a list, or one request in full. */
export async function requests(chat: string | undefined, options: Options): Promise<void> {
  await withGate(options, async (ask) => {
    if (options.index !== undefined) {
      const answer = await ask('get_request', { sessionId: chat, index: Number(options.index) })
      if (options.json) console.log(JSON.stringify(answer))
      else console.log(printable(succeeded(answer).request ?? ''))
      if (!answer.success) process.exitCode = EXIT.notFound
      return
    }
    const input = {
      sessionId: chat,
      from: wholeNumber(options.from, 'from', 1),
      limit: wholeNumber(options.limit, 'limit', 1),
    }
    const answer = await ask('list_requests', input)
    if (input.from && answer.totalRequests && answer.requests?.length === 0)
      throw pastEnd(input.from, answer.totalRequests, 'request')
    if (options.json) {
      console.log(JSON.stringify(answer))
      if (!answer.success) process.exitCode = EXIT.notFound
      return
    }
    const { sessionId, totalRequests = 0, requests: listed = [] } = succeeded(answer)
    const { dim, cyan } = paint(process.stdout)
    console.log(dim(`${sessionId}: ${totalRequests} ${totalRequests === 1 ? 'request' : 'requests'}`))
    const columns = String(listed.at(-1)?.index ?? 0).length
    for (const { index, preview, timestamp, via } of listed) {
      const when = dim(dateTime(timestamp ?? undefined).padEnd(16))
      console.log(
        `${cyan(String(index).padStart(columns))}  ${when}  ${oneLine(preview)}${via ? dim(`  (${WAYS[via] ?? oneLine(via)})`) : ''}`,
      )
    }
    const rest = totalRequests - (listed.at(-1)?.index ?? totalRequests)
    if (rest > 0) console.log(dim(`… and ${rest} more; --from and --limit show them.`))
  })
}

interface Answer {
  success: boolean
  error?: string
  candidates?: { sessionId: string; firstRequest: string }[]
}

function succeeded<T extends Answer>(answer: T): T {
  if (answer.success) return answer
  const error = answer.error ?? ''
  const isMissing = /^(Session not found|No active dialog)/.test(error)
  throw new RecollectError('SESSION_NOT_FOUND', error, isMissing ? whichOnes(answer) : undefined)
}

function whichOnes({ candidates = [] }: Answer): string {
  if (candidates.length === 0) return '`recollect list` shows the ids of chats.'
  const lines = candidates.map(({ sessionId, firstRequest }) => `  ${sessionId}  ${oneLine(firstRequest)}`)
  return ['Name the one that you mean:', ...lines].join('\n')
}
