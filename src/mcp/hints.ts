import { z } from 'zod'

/** What a host tells with a call of where it came from. */
export interface Hints {
  /** The dialog. */
  sessionId?: string
  /** The folder that the dialog works in. */
  workspace?: string
}

/** VS Code from 1.105 on, and Codex from 0.166 on (there a thread is what people see as a dialog). */
const told = z.object({
  'vscode.conversationId': z.string().optional().catch(undefined),
  'x-codex-turn-metadata': z
    .object({
      thread_id: z.string().optional(),
      workspaces: z.record(z.string(), z.unknown()).optional(),
    })
    .optional()
    .catch(undefined),
})

export function hintsIn(meta: unknown): Hints {
  const { 'vscode.conversationId': conversation, 'x-codex-turn-metadata': codex } =
    told.safeParse(meta ?? {}).data ?? {}
  return {
    sessionId: conversation ?? codex?.thread_id,
    workspace: Object.keys(codex?.workspaces ?? {})[0],
  }
}
