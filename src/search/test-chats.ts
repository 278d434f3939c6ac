import type { Role } from '../model/chat.ts'

interface Line {
  text: string
  role?: Role
  daysAgo?: number
  tools?: string
  thinking?: string
}

/** What the tests of search look for. */
export const CHATS: { id: string; title?: string; source?: string; workspace?: string; lines: Line[] }[] = [
  {
    id: 'deadlock',
    title: 'Orders hang',
    workspace: '/home/me/shop',
    lines: [
      { text: 'The order service hangs with a deadlock in Postgres', daysAgo: 3 },
      {
        text: 'Two transactions take ShareLock in another order; sort the rows first.',
        role: 'assistant',
        daysAgo: 3,
      },
      { text: 'That fixed it, thanks', daysAgo: 3 },
    ],
  },
  {
    id: 'mutex',
    title: 'Locks in Go',
    source: 'codex',
    workspace: '/home/me/worker',
    lines: [
      { text: 'How do I share a lock between goroutines?', daysAgo: 40 },
      { text: 'Use a sync.Mutex and pass a pointer to it.', role: 'assistant', daysAgo: 40 },
    ],
  },
  {
    id: 'websocket',
    title: 'Обрыв соединения',
    lines: [
      { text: 'Почему обрываются соединения через прокси?', daysAgo: 100 },
      {
        text: 'Увеличьте proxy_read_timeout в nginx.',
        role: 'assistant',
        daysAgo: 100,
        tools: 'upstream prematurely closed ECONNRESET',
      },
    ],
  },
  {
    id: 'cache',
    title: '缓存',
    lines: [
      { text: '如何避免缓存击穿？', daysAgo: 200 },
      { text: '可以用互斥锁或者逻辑过期。', role: 'assistant', daysAgo: 200, thinking: '考虑分布式锁' },
    ],
  },
  {
    id: 'release',
    title: 'Release notes',
    lines: [
      { text: 'Write the notes for version 1.24.3 of the café app', daysAgo: 10 },
      {
        text: 'Configuration moved to src/settings/load-config.ts; parseHTTPHeader is gone.',
        role: 'assistant',
        daysAgo: 10,
      },
    ],
  },
]
