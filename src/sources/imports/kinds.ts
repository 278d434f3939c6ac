import { chatgpt } from './chatgpt.ts'
import { chatWiseExport } from './chatwise.ts'
import { claudeAi } from './claude-ai.ts'
import { gemini } from './gemini.ts'
import { grok } from './grok.ts'
import type { Import } from './import.ts'
import { libreChat } from './librechat.ts'
import { clineExport, cursorExport } from './markdown-exports.ts'
import { microsoftCopilot } from './microsoft-copilot.ts'
import { openWebUi } from './open-webui.ts'
import { opencodeExport } from './opencode.ts'
import { recollect } from './recollect.ts'
import { specStory } from './specstory.ts'
import { vscodeExport } from './vscode.ts'

/** Every kind of export that is understood; the first that recognises a file reads it. */
export const imports: Import[] = [
  recollect,
  vscodeExport,
  opencodeExport,
  chatgpt,
  claudeAi,
  openWebUi,
  libreChat,
  chatWiseExport,
  grok,
  microsoftCopilot,
  gemini,
  specStory,
  cursorExport,
  clineExport,
]
