import path from 'node:path'
import { configFolder, pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'
import { calls } from './calls.ts'

/** Kimi Code, and Kimi Work on the desktop, which carries it. */
export const kimiCode: Source = {
  id: 'kimi-code',
  name: 'Kimi Code',
  evidence: 'seen',
  page: 'kimi',
  badge: { letters: 'Km', colour: 'sky' },
  client: /^kimi/i,
  calls,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots(machine) {
    const { home, env } = machine
    const { join } = pathsOf(machine)
    const desktop = ['kimi-desktop', 'daimon-share', 'daimon', 'runtime', 'kimi-code', 'home', 'sessions']
    return [
      { path: join(env.KIMI_CODE_HOME || join(home, '.kimi-code'), 'sessions') },
      { path: join(configFolder(machine), ...desktop), label: 'Kimi Work' },
    ]
  },
  // Titles, summaries and the like of Kimi Work are asked for in sessions of their own.
  enters: (folder) => /^[^/.]+(\/(?!ctitle-|sklsum-|dvlt-)[^/]+(\/agents(\/[^/]+)?)?)?$/.test(folder),
  unit(file, root) {
    const [, session, agent] =
      /^([^/]+\/[^/]+)\/(?:agents\/([^/]+)\/wire\.jsonl|state\.json)$/.exec(file) ?? []
    if (!session) return undefined
    const folder = path.join(root.path, ...session.split('/'))
    return {
      path: path.join(folder, 'agents', agent ?? 'main', 'wire.jsonl'),
      growth: 'append',
      beside: [path.join(folder, 'state.json')],
    }
  },
  reader: async () => {
    const { readWire } = await import('./wire.ts')
    return { read: (unit, from) => readWire(unit.path, from) }
  },
}

/** The command line program in Python that came before. */
export const kimiCli: Source = {
  id: 'kimi-cli',
  name: 'Kimi CLI',
  evidence: 'writer',
  page: 'kimi',
  badge: { letters: 'KC', colour: 'sky' },
  survey: async () => ({ survey: (await import('./survey.ts')).pythonSurvey }),
  signs: async () => ({ signs: (await import('./signs.ts')).pythonSigns }),
  roots(machine) {
    return [{ path: pathsOf(machine).join(machine.home, '.kimi', 'sessions') }]
  },
  enters: (folder) => /^[^/.]+(\/[^/]+)?$/.test(folder),
  unit(file, root) {
    const [, session] = /^([^/]+\/[^/]+)\/(?:wire\.jsonl|state\.json)$/.exec(file) ?? []
    if (!session) return undefined
    const folder = path.join(root.path, ...session.split('/'))
    return {
      path: path.join(folder, 'wire.jsonl'),
      growth: 'append',
      beside: [path.join(folder, 'state.json'), path.resolve(root.path, '..', 'kimi.json')],
    }
  },
  reader: async () => {
    const { readPythonWire } = await import('./python.ts')
    return { read: (unit, from) => readPythonWire(unit.path, from) }
  },
}
