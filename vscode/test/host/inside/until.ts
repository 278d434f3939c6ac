import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again until there is an answer; the error says what was waited for. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  limitMs = 90_000,
): Promise<Exclude<T, undefined | null | false | '' | 0>> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer as Exclude<T, undefined | null | false | '' | 0>
    if (Date.now() > deadline) throw new Error(`waited ${limitMs / 1000} s for ${what}`)
    await sleep(100)
  }
}
