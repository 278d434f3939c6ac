import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ columns }) => columns('chat').includes('lastReplyAt') && columns('message').includes('chatId'),
    place: () => ({ file: 'app.db' }),
  },
]
