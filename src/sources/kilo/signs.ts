import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    // The same tables as opencode's: only the name tells them apart.
    fits: ({ columns, name }) =>
      /^kilo/i.test(name) &&
      columns('part').includes('message_id') &&
      columns('session').includes('time_updated'),
    place: () => ({ file: 'kilo.db' }),
  },
]
