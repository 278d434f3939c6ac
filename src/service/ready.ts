import { setImmediate as others } from 'node:timers/promises'
import { log } from '../platform/log.ts'
import { call, type Service } from './service.ts'

/** What nobody asked for: words of any developer's chats, so that all that a search does is done. */
const ANY_QUERY = 'how to fix the error in this test'

/**
 * Makes ready what a first search takes three times as long for as any other: tables, code that runs for the first time.
 * Between a client's first question for tools and a model's first call there is time for that. Whoever asks meanwhile waits
 * for a step that their own call would have taken.
 */
export async function makeReady(service: Service, isAsked: () => boolean): Promise<void> {
  try {
    const { archive } = service
    // Where nothing is archived yet a search would wait for it.
    if ((await archive.chatCount()) === 0) return
    await others()
    if (isAsked()) return
    await archive.searching(() => undefined)
    await others()
    // Where others are asked what words mean, they are asked only for the user.
    if (isAsked() || (await archive.embeddings())) return
    await call(service, 'search_conversations', { query: ANY_QUERY }, { kind: 'agent', budget: 20_000 })
  } catch (error) {
    // Who asks hears of it.
    log('debug', `not made ready: ${(error as Error).message}`)
  }
}
