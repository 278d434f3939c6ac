/** What is known of the programs that connect, by the name they give themselves. */
interface KnownClient {
  name: RegExp
  /** The source that reads its chats. */
  assistant?: string
  /** From how many characters of an answer it hides or cuts the rest. Measured; others get the least. */
  maxChars?: number
  /** It counts bytes: a text in another script than Latin is two or three times as long. */
  inBytes?: true
}

const CLIENTS: KnownClient[] = [
  { name: /^claude-code/i, assistant: 'claude-code', maxChars: 40_000 },
  { name: /^codex/i, assistant: 'codex', maxChars: 10_000 },
  { name: /gemini/i, assistant: 'gemini-cli', maxChars: 40_000 },
  { name: /copilot/i, assistant: 'copilot-cli', maxChars: 20_000, inBytes: true },
  { name: /^(visual studio code|vs ?code|code-server|vscodium)/i, assistant: 'vscode', maxChars: 20_000 },
  { name: /cursor/i, assistant: 'cursor' },
  { name: /^zed/i, assistant: 'zed' },
  { name: /^goose/i, assistant: 'goose' },
  { name: /roo/i, assistant: 'roo-code' },
  { name: /cline/i, assistant: 'cline' },
  { name: /continue/i, assistant: 'continue' },
  { name: /opencode/i, assistant: 'opencode' },
  { name: /lm.?studio/i, assistant: 'lm-studio' },
  { name: /chatwise/i, assistant: 'chatwise' },
]

export const DEFAULT_MAX_CHARS = 10_000

export function knownClient(name: string | undefined): {
  assistant?: string
  maxChars: number
  inBytes: boolean
} {
  const {
    assistant,
    maxChars = DEFAULT_MAX_CHARS,
    inBytes = false,
  } = CLIENTS.find((client) => name !== undefined && client.name.test(name)) ?? {}
  return { assistant, maxChars, inBytes }
}
