import { z } from 'zod'
import type { Caller } from '../service/caller.ts'

/** What a host tells with a call of where it came from. */
export interface Hints extends Pick<Caller, 'dialog' | 'userDialog' | 'callId'> {
  /** The folders that the dialog works in. */
  workspaces?: string[]
}

/**
 * VS Code from 1.105 on; Codex from 0.166 on, where a thread is a dialog or a sub-agent and a session
 * the person's dialog; Goose from 1.52 on; Claude Code, which names the call.
 */
function schemaOfMeta() {
  const word = z.string().min(1).optional().catch(undefined)
  return z.object({
    'vscode.conversationId': word,
    threadId: word,
    sessionId: word,
    'x-codex-turn-metadata': z
      .object({
        thread_id: word,
        session_id: word,
        workspaces: z.record(z.string(), z.unknown()).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    'agent-session-id': word,
    'agent-working-dir': word,
    'claudecode/toolUseId': word,
  })
}

let hintsInMeta: ReturnType<typeof schemaOfMeta> | undefined

export function hintsIn(meta: unknown): Hints {
  if (meta === undefined || meta === null) return {}
  hintsInMeta ??= schemaOfMeta()
  const said = hintsInMeta.safeParse(meta).data
  if (!said) return {}
  const codex = said['x-codex-turn-metadata']
  const thread = codex?.thread_id ?? said.threadId
  const session = codex?.session_id ?? (thread === undefined ? undefined : said.sessionId)
  const dialog = said['vscode.conversationId'] ?? thread ?? session ?? said['agent-session-id']
  const callId = said['claudecode/toolUseId']
  const named = Object.keys(codex?.workspaces ?? {})
  const working = said['agent-working-dir']
  const workspaces = named.length === 0 && working !== undefined ? [working] : named
  return {
    ...(dialog !== undefined && { dialog }),
    ...(session !== undefined && session !== dialog && { userDialog: session }),
    ...(callId !== undefined && { callId }),
    ...(workspaces.length > 0 && { workspaces }),
  }
}
