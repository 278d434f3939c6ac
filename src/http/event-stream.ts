import { log } from '../platform/log.ts'

export interface EventStream {
  /** `id`: what a browser gives back when it comes again. */
  send(event: string, data: unknown, id?: string): void
  /** An event without a name, its data as it stands. */
  say(data: string): void
  /** The client went away. */
  gone: AbortSignal
}

const HEARTBEAT_MS = 15_000
/** Who reads so much slower than we tell will not catch up. */
const MOST_WAITING = 10_000

/** Server-sent events for as long as `tell` takes, or until the client goes. */
export function eventStream(
  tell: (stream: EventStream) => Promise<void>,
  headers: Record<string, string> = {},
): Response {
  const gone = new AbortController()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const end = () => {
        if (gone.signal.aborted) return
        gone.abort()
        controller.close()
      }
      const write = (text: string) => {
        if (gone.signal.aborted) return
        if ((controller.desiredSize ?? 0) < -MOST_WAITING) end()
        else controller.enqueue(encoder.encode(text))
      }
      const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS).unref()
      gone.signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true })
      // What stands between us and the browser passes a first line on, and with it the headers.
      write(':\n\n')
      const stream: EventStream = {
        gone: gone.signal,
        send: (event, data, id) =>
          write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        say: (data) => write(`data: ${data}\n\n`),
      }
      tell(stream).catch(unexpected).finally(end)
    },
    cancel: () => gone.abort(),
  })
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}

function unexpected(error: unknown): void {
  log('error', error instanceof Error ? (error.stack ?? error.message) : String(error))
}
