import path from 'node:path'
import { type Machine, pathsOf } from '../../platform/machine.ts'
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
  const beside = [
    path.join(root.path, 'tmp', project, '.project_root'),
    path.join(root.path, 'projects.json'),
  ]
  // A resumed `.json` is copied into a `.jsonl` beside it, which is then the one that grows.
  return file.endsWith('.jsonl')
    ? { path: path.join(root.path, file), growth: 'append', beside, rank: 1 }
    : { path: path.join(root.path, file), growth: 'whole', beside }
}
