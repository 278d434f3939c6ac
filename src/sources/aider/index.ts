import path from 'node:path'
import type { Root, Source } from '../source.ts'

const HISTORY = '.aider.chat.history.md'

/**
 * Aider writes its history into the folder it works in, so there is no one place to look. The home
 * folder is walked, but only as far down as projects usually lie.
 */
export const aider: Source = {
  id: 'aider',
  name: 'Aider',
  evidence: 'seen',
  badge: { letters: 'Ai', colour: 'green' },
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots({ platform, home, env }) {
    const roots: Root[] = [
      { path: home, label: platform === 'darwin' ? MAC_HOME : undefined, watched: false },
    ]
    const chosen = env.AIDER_CHAT_HISTORY_FILE
    if (chosen && path.isAbsolute(chosen)) {
      roots.push({ path: path.dirname(chosen), label: `${CHOSEN}${path.basename(chosen)}` })
    }
    return roots
  },
  enters(folder, root) {
    if (root.label?.startsWith(CHOSEN)) return false
    const parts = folder.split('/')
    const [top = '', name = ''] = [parts[0]?.toLowerCase(), parts.at(-1)?.toLowerCase()]
    if (root.label === MAC_HOME && ASKS_FIRST.has(top)) return false
    const deepest = PROJECT_FOLDERS.has(top) ? 3 : 2
    return parts.length <= deepest && !name.startsWith('.') && !PASSED_OVER.has(name)
  },
  unit(file, root) {
    const wanted = root.label?.startsWith(CHOSEN) ? root.label.slice(CHOSEN.length) : HISTORY
    if (path.posix.basename(file) !== wanted) return undefined
    return { path: path.join(root.path, file), growth: 'append' }
  },
  reader: async () => {
    const { readHistory } = await import('./history.ts')
    return {
      read: ({ path: file }, from) =>
        readHistory(file, from, path.basename(file) === HISTORY ? path.dirname(file) : undefined),
    }
  },
}

const MAC_HOME = 'macOS home'
const CHOSEN = 'AIDER_CHAT_HISTORY_FILE='

/** macOS asks the person before a program may look into these; a search must not make it ask. */
const ASKS_FIRST = new Set(['desktop', 'documents'])

/** Where people keep projects, often sorted by owner or customer: one level more. */
const PROJECT_FOLDERS = new Set([
  'code',
  'coding',
  'desktop',
  'dev',
  'develop',
  'developer',
  'development',
  'documents',
  'git',
  'github',
  'gitlab',
  'go',
  'projects',
  'repos',
  'repositories',
  'source',
  'sources',
  'src',
  'work',
  'workspace',
  'workspaces',
])

/** Large, and never the place of a project. */
const PASSED_OVER = new Set([
  '__pycache__',
  'anaconda3',
  'appdata',
  'applications',
  'bower_components',
  'build',
  'dist',
  'downloads',
  'library',
  'miniconda3',
  'movies',
  'music',
  'node_modules',
  'pictures',
  'pkg',
  'public',
  'site-packages',
  'snap',
  'target',
  'templates',
  'vendor',
  'venv',
  'videos',
])
