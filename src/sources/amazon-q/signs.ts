import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ columns }) =>
      columns('conversations').join() === 'key,value' && columns('conversations_v2').length === 0,
    place: () => ({ file: 'data.sqlite3' }),
  },
]
