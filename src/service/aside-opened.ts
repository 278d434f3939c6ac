import type { AsidePlan } from './aside.ts'
import type { Aside } from './aside-words.ts'

/** `asideFor`, made when it is first needed. */
export function openedAside(plan: AsidePlan): { open(): Promise<Aside>; close(): Promise<void> } {
  let opening: Promise<Aside> | undefined
  return {
    open() {
      opening ??= import('./aside.ts').then(({ asideFor }) => asideFor(plan))
      return opening
    },
    async close() {
      await (await opening)?.close()
    },
  }
}
