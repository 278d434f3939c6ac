import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ columns }) =>
      ['session_id', 'role', 'content', 'tool_calls', 'finish_reason'].every((name) =>
        columns('messages').includes(name),
      ) && columns('sessions').includes('started_at'),
    place: () => ({ file: 'state.db' }),
  },
]
