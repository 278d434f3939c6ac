import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ columns }) =>
      ['id', 'updated_at', 'data_type', 'data'].every((name) => columns('threads').includes(name)),
    place: () => ({ file: 'threads.db' }),
  },
]
