/** Whether something ends within a time; a signal cuts the waiting short. */
export async function endsWithin(work: Promise<unknown>, ms: number, signal?: AbortSignal): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const giveUp = () => resolve(false)
  const timer = setTimeout(giveUp, ms)
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted) giveUp()
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
