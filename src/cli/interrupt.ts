/** Ctrl-C, a polite end, and Ctrl-Break, which only Windows has. */
export const STOPPING = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const

/** A signal for Ctrl-C: the first asks the work to stop at the next safe point, the second ends it at once. */
export function onInterrupt(): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  for (const name of STOPPING) process.on(name, stop)
  return {
    signal: controller.signal,
    done() {
      for (const name of STOPPING) process.off(name, stop)
    },
  }
}
