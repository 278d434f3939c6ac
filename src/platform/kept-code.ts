/** Where the start of a built program leaves its `keep`. */
const KEEP: unique symbol = Symbol.for('recollect.keepCompiled')

/** A process that ends sooner has not had its code thrown away as unused, and keeps it when it ends. */
export const SHORT_S = 30

type WithKeep = typeof globalThis & { [KEEP]?: () => void }

/** Has code that is compiled by now kept for the next start, where that is done (`built/start.ts`). Takes some milliseconds once after an installation. */
export function keepCompiled(): void {
  ;(globalThis as WithKeep)[KEEP]?.()
}

export function keepCompiledBy(keep: () => void): void {
  ;(globalThis as WithKeep)[KEEP] = keep
}
