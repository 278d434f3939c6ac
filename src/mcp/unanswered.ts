import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { LISTEN } from './subscribed.ts'

/** The questions of a client that have no answer yet. */
export class Unanswered {
  readonly #ids = new Set<string | number>()
  #wake = () => {}

  /** Hears of the answers that the transport sends. */
  constructor(transport: Transport) {
    const send = transport.send.bind(transport)
    transport.send = async (message, options) => {
      try {
        await send(message, options)
      } finally {
        if ('id' in message && !('method' in message)) this.#answered(message.id)
      }
    }
  }

  note(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message && message.method !== LISTEN) this.#ids.add(message.id)
    // One that was called off gets none.
    if (message.method === 'notifications/cancelled')
      this.#answered((message.params as { requestId?: string | number } | undefined)?.requestId)
  }

  async none(): Promise<void> {
    while (this.#ids.size > 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
  }

  #answered(id: string | number | undefined): void {
    if (id !== undefined) this.#ids.delete(id)
    this.#wake()
  }
}
