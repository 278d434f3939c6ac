import { z } from 'zod'

/** A question that is answered when nobody listens any more. */
export const LISTEN = 'subscriptions/listen'
const asked = z.object({
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()).max(1_000) }) }),
})

/** The resources that a message of the newer protocol subscribes to. */
export function subscribedTo(message: unknown): string[] {
  if (typeof message !== 'object' || !message || !('method' in message) || message.method !== LISTEN)
    return []
  return asked.safeParse(message).data?.params.notifications.resourceSubscriptions ?? []
}
