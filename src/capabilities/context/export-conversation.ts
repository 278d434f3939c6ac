import { z } from 'zod'
import { capability, longChat, MANY_MESSAGES } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const exportConversation = capability({
  name: 'export_conversation',
  title: 'Hand over a chat',
  description:
    'Writes a chat to context.md: a summary (requests, decisions, files, commands, open items) or in full. Repeated, it updates that entry.',
  set: 'context',
  acts: ['read', 'write-context'],
  input: () =>
    z.object({
      sessionId: z.string().min(1).describe('Chat id, unique prefix, or "current"'),
      workspace,
      format: z.enum(['summary', 'full']).optional(),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      exported: z.object({ title: z.string(), messageCount: z.number(), timestamp: z.string() }),
      entry: z.enum(['added', 'updated', 'unchanged']),
      note: z.string(),
      path: z.string(),
    }),
  long: ({ sessionId }, size) => longChat(sessionId, size, MANY_MESSAGES),
  async handle(deps, { sessionId, workspace, format }) {
    const place = placeOf(deps, workspace, 'EXPORT_ERROR')
    const [{ exportConversation: exported }, { withWorkspace }, { openChat }] = await Promise.all([
      import('../../context/export.ts'),
      import('../../context/resume.ts'),
      import('../../recall/current.ts'),
    ])
    const chat = await openChat(withWorkspace(deps, place), sessionId)
    return exported(place, chat, { format, clean: deps.clean })
  },
})
