import path from 'node:path'
import { configFolder, type Machine, pathsOf } from '../../platform/machine.ts'
import type { Reader, Root, Source, Unit } from '../source.ts'
import { MODEL_FILE } from './model-file.ts'

/** Cline in VS Code and its relatives, in JetBrains, and the Cline CLI. */
export const cline: Source = {
  id: 'cline',
  name: 'Cline',
  evidence: 'seen',
  badge: { letters: 'Ci', colour: 'green' },
  client: /(?<!roo.?)cline/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots: (machine) => [...extensionRoots(machine, 'saoudrizwan.claude-dev'), ...ownRoots(machine)],
  enters,
  unit,
  standIns,
  reader: () => readerOf('cline'),
}

/** A fork of Cline that kept its files. */
export const rooCode: Source = {
  id: 'roo-code',
  name: 'Roo Code',
  evidence: 'writer',
  page: 'cline',
  badge: { letters: 'Ro', colour: 'green' },
  client: /roo/i,
  survey: () => import('./survey.ts'),
  signs: async () => ({ signs: (await import('./signs.ts')).rooSigns }),
  roots: (machine) => extensionRoots(machine, 'rooveterinaryinc.roo-cline'),
  enters,
  unit,
  standIns,
  reader: () => readerOf('roo-code'),
}

const EDITORS = [
  'Code',
  'Code - Insiders',
  'Code - OSS',
  'VSCodium',
  'VSCodium - Insiders',
  'Cursor',
  'Windsurf',
]
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server', '.windsurf-server']
/** The label of a root that holds sessions themselves, not a `sessions` folder. */
const SESSIONS = 'sessions'

/** What the person saw, by its present name and that of 2024. */
const SEEN_FILES = ['ui_messages.json', 'claude_messages.json']
const NOTES = ['task_metadata.json', 'history_item.json']

function extensionRoots(machine: Machine, extension: string): Root[] {
  const { home, env } = machine
  const { join } = pathsOf(machine)
  const users: [label: string, folder: string][] = [
    ...EDITORS.map((name): [string, string] => [
      name,
      join(env.VSCODE_APPDATA ?? configFolder(machine), name),
    ]),
    ...SERVERS.map((name): [string, string] => [name, join(home, name, 'data')]),
  ]
  if (env.VSCODE_PORTABLE) users.unshift(['portable', join(env.VSCODE_PORTABLE, 'user-data')])
  return users.map(([label, folder]) => ({
    path: join(folder, 'User', 'globalStorage', extension),
    label,
  }))
}

function ownRoots(machine: Machine): Root[] {
  const { home, env } = machine
  const { join } = pathsOf(machine)
  const data = env.CLINE_DATA_DIR ?? join(env.CLINE_DIR ?? join(home, '.cline'), 'data')
  const roots: Root[] = [{ path: data, label: 'CLI' }]
  if (env.CLINE_SESSION_DATA_DIR) roots.push({ path: env.CLINE_SESSION_DATA_DIR, label: SESSIONS })
  return roots
}

function enters(folder: string, root: Root): boolean {
  const parts = folder.split('/')
  if (root.label === SESSIONS) return parts.length === 1
  return parts.length <= 2 && (parts[0] === 'tasks' || (parts[0] === 'sessions' && root.label === 'CLI'))
}

function unit(file: string, root: Root): Unit | undefined {
  const parts = file.split('/')
  if (root.label === SESSIONS) parts.unshift('sessions')
  const [place, id, name] = parts
  if (parts.length !== 3 || !id || !name) return undefined
  const folder = path.join(root.path, path.dirname(file))
  if (place === 'tasks' && [MODEL_FILE, ...SEEN_FILES, ...NOTES].includes(name)) return taskUnit(folder, name)
  if (place === 'sessions') return sessionUnit(folder, id, name)
  return undefined
}

/**
 * What the person saw is believed before the model's transcript, which has other ids and stands in
 * only where there is nothing else.
 */
function taskUnit(folder: string, name: string): Unit {
  const beside = NOTES.map((note) => path.join(folder, note))
  if (name === MODEL_FILE) {
    const seen = SEEN_FILES.map((file) => path.join(folder, file))
    const file = path.join(folder, MODEL_FILE)
    return { path: file, growth: 'append', rank: 0, standsIn: true, beside: [...seen, ...beside] }
  }
  const file = path.join(folder, SEEN_FILES.includes(name) ? name : SEEN_FILES[0]!)
  return { path: file, growth: 'whole', rank: 1, beside }
}

function standIns({ path: file }: Unit): Unit[] {
  return SEEN_FILES.includes(path.basename(file)) ? [taskUnit(path.dirname(file), MODEL_FILE)] : []
}

/** Sub-agents keep their transcript in the folder of the session that started them. */
function sessionUnit(folder: string, id: string, name: string): Unit | undefined {
  const manifest = path.join(folder, `${id}.json`)
  if (name === `${id}.json`) {
    return { path: path.join(folder, `${id}.messages.json`), growth: 'whole', beside: [manifest] }
  }
  if (!name.endsWith('.messages.json')) return undefined
  return { path: path.join(folder, name), growth: 'whole', beside: [manifest] }
}

async function readerOf(source: string): Promise<Reader> {
  const { read } = await import('./reader.ts')
  return { read: (unit, from) => read(unit, source, from) }
}
