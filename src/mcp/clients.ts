/** How much of an answer a program shows, by the name it gives itself. */
interface KnownClient {
  name: RegExp
  /** From how many characters of an answer it hides or cuts the rest. Measured; others get the least. */
  maxChars: number
  /** It counts bytes: a text in another script than Latin is two or three times as long. */
  inBytes?: true
}

const CLIENTS: KnownClient[] = [
  { name: /^claude-code/i, maxChars: 40_000 },
  { name: /^codex/i, maxChars: 10_000 },
  { name: /gemini/i, maxChars: 40_000 },
  { name: /copilot/i, maxChars: 20_000, inBytes: true },
  { name: /^(visual studio code|vs ?code|code-server|vscodium)/i, maxChars: 20_000 },
]

export const DEFAULT_MAX_CHARS = 10_000

export function knownClient(name: string | undefined): { maxChars: number; inBytes: boolean } {
  const known = CLIENTS.find((client) => name !== undefined && client.name.test(name))
  return { maxChars: known?.maxChars ?? DEFAULT_MAX_CHARS, inBytes: known?.inBytes ?? false }
}
