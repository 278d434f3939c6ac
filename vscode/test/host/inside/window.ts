import type { Hands } from '../hands.ts'

const url = process.env.RECOLLECT_TEST_BRIDGE ?? ''

/** The window of this VS Code, as a person sees and uses it. */
export const inWindow = new Proxy({} as Hands, {
  get:
    (_target, name) =>
    async (...args: unknown[]) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ name, args }) })
      const { value, error } = (await response.json()) as { value?: unknown; error?: string }
      if (error) throw new Error(error)
      return value
    },
})
