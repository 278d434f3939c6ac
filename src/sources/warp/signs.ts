import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ columns }) =>
      columns('agent_tasks').includes('task') && columns('agent_conversations').includes('conversation_id'),
    place: () => ({ file: 'warp.sqlite' }),
  },
]
