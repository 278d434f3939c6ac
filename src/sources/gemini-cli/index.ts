import { type Machine, pathsOf } from '../../platform/machine.ts'
import { below } from '../below.ts'
import type { Root, Source, Unit } from '../source.ts'
import { calls } from './calls.ts'
import { retention } from './retention.ts'

/** `tmp/<project>/chats/session-….jsonl`, a sub-agent's `tmp/<project>/chats/<parent>/<id>.jsonl`, or older `….json`. */
const SESSION = /^tmp\/([^/]+)\/chats\/(?:session-[^/]+\.jsonl?|[^/]+\/[^/]+\.jsonl)$/

export const geminiCli: Source = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  evidence: 'seen',
  badge: { letters: 'Ge', colour: 'sky' },
  client: /gemini/i,
  survey: () => import('./survey.ts'),
  retention,
  signs: () => import('./signs.ts'),
  roots,
  enters: (folder) => /^tmp(?:\/[^/]+(?:\/chats(?:\/[^/]+)?)?)?$/.test(folder),
  unit,
  reader: () => import('./reader.ts'),
  calls,
}

/** GEMINI_CLI_HOME stands for the home folder; chats from before it was set stay in the usual place. */
function roots(machine: Machine): Root[] {
  const { home, env } = machine
  const { join, resolve } = pathsOf(machine)
  const usual = join(home, '.gemini')
  const moved = env.GEMINI_CLI_HOME ? resolve(env.GEMINI_CLI_HOME, '.gemini') : usual
  return moved === usual ? [{ path: usual }] : [{ path: moved, label: 'GEMINI_CLI_HOME' }, { path: usual }]
}

function unit(file: string, root: Root): Unit | undefined {
  const project = SESSION.exec(file)?.[1]
  if (!project) return undefined
  const beside = [below(root, `tmp/${project}/.project_root`), below(root, 'projects.json')]
  // A resumed `.json` is copied into a `.jsonl` beside it, which is then the one that grows.
  return file.endsWith('.jsonl')
    ? { path: below(root, file), growth: 'append', beside, rank: 1 }
    : { path: below(root, file), growth: 'whole', beside }
}
