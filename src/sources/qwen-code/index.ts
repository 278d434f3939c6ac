import path from 'node:path'
import { pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'
import { calls } from './calls.ts'
import { linksTo } from './meta.ts'

/** Qwen Code: rows as Claude Code's, with Gemini's parts in them. */
export const qwenCode: Source = {
  id: 'qwen-code',
  name: 'Qwen Code',
  evidence: 'seen',
  badge: { letters: 'Qw', colour: 'violet' },
  client: /qwen/i,
  calls,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { home, env } = machine
    const { join } = pathsOf(machine)
    const folder = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(home, '.qwen')
    return [{ path: join(folder, 'projects') }]
  },
  enters: (folder) => /^[^/]+(\/(chats(\/archive)?|subagents(\/[^/]+)?))?$/.test(folder),
  unit(file, root) {
    const at = path.join(root.path, ...file.split('/'))
    if (/^[^/]+\/chats\/(archive\/)?[^/]+\.jsonl$/.test(file)) return { path: at, growth: 'append' }
    if (!/^[^/]+\/subagents\/[^/]+\/agent-[^/]+\.(jsonl|meta\.json)$/.test(file)) return undefined
    const log = at.replace(/\.meta\.json$/, '.jsonl')
    return { path: log, growth: 'append', beside: [linksTo(log)] }
  },
  reader: () => import('./reader.ts'),
}
