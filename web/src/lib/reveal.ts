import { shared } from './shared.ts'
import { recall, remember } from './stored.ts'

const reveal = shared(recall('reveal') === '1')

/** Whether the person wants to see passwords and keys in their chats, in this browser. */
export const useReveal = reveal.use

export function setReveal(shown: boolean): void {
  remember('reveal', shown ? '1' : null)
  reveal.set(shown)
}
