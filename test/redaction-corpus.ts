/** The labelled corpus of secrets, made from its descriptions: no value of it is or was a real one. */

export interface CorpusLine {
  id: string
  text: string
  kind: string
  /** From and to; nothing where the text holds none. */
  secret: [number, number] | null
  context: string
  group: string
}

export interface JsonCase {
  id: string
  value: unknown
  secret: string | null
}

/** Descriptions are data, and imported as such. */
const load = (name: string): Promise<Record<string, unknown>> =>
  import(new URL(`fixtures/redaction/${name}.mjs`, import.meta.url).href)

export async function corpus(): Promise<CorpusLine[]> {
  const { dev } = await load('make')
  return (dev as () => CorpusLine[])()
}

export async function jsonCases(): Promise<JsonCase[]> {
  const { cases } = await load('make-json')
  return cases as JsonCase[]
}

/** Whether a piece of the secret is left: half of it; at least 6, at most 24 characters. */
export function leaks(secret: string, output: string): boolean {
  const size = Math.min(secret.length, Math.max(6, Math.min(24, Math.ceil(secret.length / 2))))
  for (let i = 0; i + size <= secret.length; i++) if (output.includes(secret.slice(i, i + size))) return true
  return false
}
