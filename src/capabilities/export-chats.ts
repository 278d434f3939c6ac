import { z } from 'zod'
import { EXPORT_FORMATS } from '../recall/export/formats.ts'
import { capability, MANY_MESSAGES } from './capability.ts'
import { chosen } from './fields.ts'
import { notes, notFound } from './shapes.ts'

export const exportChats = capability({
  name: 'export_chats',
  title: 'Export chats',
  description:
    'Chats, chosen by id or by a search, as a private file or as text. Secrets are redacted; a file that exists is not overwritten.',
  set: 'export',
  acts: ['read'],
  also: [
    { act: 'export-file', when: ({ path }) => path !== undefined },
    { act: 'reveal', when: ({ redact }) => redact === false },
  ],
  input: () =>
    z.object({
      chatIds: z.array(z.string().min(1)).max(1_000).optional(),
      ...chosen,
      format: z.enum(EXPORT_FORMATS),
      path: z.string().min(1).optional().describe('File to write; else the text is returned'),
      redact: z.boolean().optional().describe('Always on for agents'),
      force: z.boolean().optional().describe('true: overwrite the file'),
      examples: z.enum(['chat', 'turn']).optional().describe('finetune: an example each'),
    }),
  output: () =>
    z.object({
      format: z.string(),
      chats: z.number(),
      messages: z.number(),
      path: z.string().optional(),
      bytes: z.number().optional(),
      text: z.string().optional(),
      truncated: z.string().optional(),
      notFound,
      notes,
    }),
  long: (_, { messages }) => messages > MANY_MESSAGES,
  async handle(deps, input) {
    const { exportChats: exported } = await import('../recall/export/export.ts')
    return await exported(deps, input, {
      clean: deps.clean,
      room: deps.room,
      onProgress: deps.progress,
      folder: deps.caller.workspace ?? process.cwd(),
    })
  },
})
