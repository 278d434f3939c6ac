import { z } from 'zod'
import { capability, longChat, MANY_CHATS } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const getResumeCommand = capability({
  name: 'get_resume_command',
  title: 'How to resume a chat',
  description: 'The shell command to resume a chat; without an id, the newest chat of the workspace.',
  set: 'context',
  acts: ['read'],
  input: () => z.object({ workspace, sessionId: z.string().min(1).optional() }),
  output: () =>
    z.object({
      success: z.boolean(),
      command: z.string(),
      sessionId: z.string(),
      source: z.string(),
      updatedAt: z.number().optional(),
      workspace: z.string().optional(),
    }),
  long: ({ sessionId }, size) => (sessionId ? longChat(sessionId, size) : size.chats > MANY_CHATS),
  async handle(deps, { workspace, sessionId }) {
    const { resumeCommand } = await import('../../context/resume.ts')
    return resumeCommand(deps, placeOf(deps, workspace, 'READ_ERROR'), deps.clean, sessionId)
  },
})
