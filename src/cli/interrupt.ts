/** A signal for Ctrl-C: the first asks the work to stop at the next safe point, the second ends it at once. */
export function onInterrupt(): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
