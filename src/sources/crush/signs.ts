import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ columns }) =>
      ['session_id', 'role', 'parts'].every((name) => columns('messages').includes(name)) &&
      columns('sessions').includes('message_count'),
    place: () => ({ file: 'crush.db' }),
  },
]
