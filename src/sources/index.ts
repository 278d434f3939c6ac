import { aider } from './aider/index.ts'
import { amazonQ } from './amazon-q/index.ts'
import { amp } from './amp/index.ts'
import { antigravity } from './antigravity/index.ts'
import { auggie } from './auggie/index.ts'
import { chatwise } from './chatwise/index.ts'
import { claudeCode } from './claude-code/index.ts'
import { claudeCowork } from './claude-cowork/index.ts'
import { cline, rooCode } from './cline/index.ts'
import { codex } from './codex/index.ts'
import { continueDev } from './continue/index.ts'
import { copilotCli } from './copilot-cli/index.ts'
import { copilotJetbrains } from './copilot-jetbrains/index.ts'
import { crush } from './crush/index.ts'
import { cursor } from './cursor/index.ts'
import { droid } from './droid/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { goose } from './goose/index.ts'
import { grokBuild } from './grok-build/index.ts'
import { hermes } from './hermes/index.ts'
import { iflow } from './iflow/index.ts'
import { junie } from './junie/index.ts'
import { kilo } from './kilo/index.ts'
import { kimiCli, kimiCode } from './kimi/index.ts'
import { kiro } from './kiro/index.ts'
import { letta } from './letta/index.ts'
import { lmStudio } from './lm-studio/index.ts'
import { mistralVibe } from './mistral-vibe/index.ts'
import { openclaw } from './openclaw/index.ts'
import { opencode } from './opencode/index.ts'
import { pi } from './pi/index.ts'
import { qwenCode } from './qwen-code/index.ts'
import { recollectAgent } from './recollect-agent/index.ts'
import type { Source } from './source.ts'
import { traex } from './traex/index.ts'
import { visualStudio } from './visual-studio/index.ts'
import { vscode } from './vscode/index.ts'
import { warp } from './warp/index.ts'
import { windsurf } from './windsurf/index.ts'
import { zed } from './zed/index.ts'

/** Every assistant that is read. Relatives whose files are known by where they lie come before the head of the family. */
export const sources: Source[] = [
  vscode,
  copilotCli,
  copilotJetbrains,
  claudeCowork,
  iflow,
  claudeCode,
  traex,
  codex,
  geminiCli,
  opencode,
  kilo,
  qwenCode,
  cursor,
  chatwise,
  cline,
  rooCode,
  continueDev,
  aider,
  zed,
  goose,
  lmStudio,
  openclaw,
  pi,
  letta,
  kimiCode,
  kimiCli,
  grokBuild,
  droid,
  amp,
  mistralVibe,
  antigravity,
  kiro,
  amazonQ,
  crush,
  auggie,
  junie,
  hermes,
  visualStudio,
  warp,
  windsurf,
  recollectAgent,
]
