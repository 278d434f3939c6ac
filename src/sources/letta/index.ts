import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Letta Code with its local backend; what the cloud keeps is not on this machine. */
export const letta: Source = {
  id: 'letta',
  name: 'Letta Code',
  evidence: 'seen',
  badge: { letters: 'Le', colour: 'violet' },
  client: /^letta/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { join } = pathsOf(machine)
    const chosen = machine.env.LETTA_LOCAL_BACKEND_DIR || join(machine.home, '.letta', 'lc-local-backend')
    return [{ path: join(chosen, 'conversations') }]
  },
  enters: (folder) => !folder.includes('/'),
  unit(file, root) {
    const [, folder, name] = /^([^/]+)\/(messages\.jsonl|conversation\.json|manifest\.json)$/.exec(file) ?? []
    if (!folder || !name) return undefined
    const at = (each: string) => path.join(root.path, folder, each)
    return {
      path: at('messages.jsonl'),
      growth: 'whole',
      beside: [at('conversation.json'), at('manifest.json')],
    }
  },
  reader: async () => {
    const { readConversation } = await import('./conversation.ts')
    return { read: (unit) => readConversation(path.dirname(unit.path)) }
  },
}
