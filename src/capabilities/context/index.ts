import { appendContext } from './append-context.ts'
import { archiveContext } from './archive-context.ts'
import { exportConversation } from './export-conversation.ts'
import { exportToMemory } from './export-to-memory.ts'
import { getContextSummary } from './get-context-summary.ts'
import { getResumeCommand } from './get-resume-command.ts'
import { importFromMemory } from './import-from-memory.ts'
import { initContext } from './init-context.ts'
import { readContext } from './read-context.ts'

export const contextCapabilities = [
  readContext,
  appendContext,
  initContext,
  exportConversation,
  getContextSummary,
  getResumeCommand,
  exportToMemory,
  importFromMemory,
  archiveContext,
] as const
