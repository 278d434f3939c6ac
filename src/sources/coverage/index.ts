import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilotCli } from './copilot-cli.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import { goose } from './goose.ts'
import { opencode } from './opencode.ts'
import { aider, chatwise, continueDev, lmStudio, recollectAgent, zed } from './small.ts'
import type { Survey } from './survey.ts'
import { vscode } from './vscode.ts'

/** By the id of the source. Loaded only where something is counted: no reader needs it. */
export const surveys: Record<string, Survey | undefined> = {
  vscode,
  'copilot-cli': copilotCli,
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  opencode,
  cursor,
  chatwise,
  cline,
  'roo-code': cline,
  continue: continueDev,
  aider,
  zed,
  goose,
  'lm-studio': lmStudio,
  'recollect-agent': recollectAgent,
}
