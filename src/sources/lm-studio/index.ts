import path from 'node:path'
import { type Machine, pathsOf } from '../../platform/machine.ts'
import { smallText } from '../../platform/small-text.ts'
import type { Root, Source } from '../source.ts'

/** LM Studio: one file for each conversation, in folders as the person arranged them. */
export const lmStudio: Source = {
  id: 'lm-studio',
  name: 'LM Studio',
  evidence: 'described',
  badge: { letters: 'LM', colour: 'violet' },
  client: /lm.?studio/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  roots,
  enters: (folder) => folder.split('/').length <= DEEPEST,
  unit: (file, root) =>
    file.endsWith('.conversation.json') ? { path: path.join(root.path, file), growth: 'whole' } : undefined,
  reader: async () => {
    const { readConversation } = await import('./conversation.ts')
    return { read: (unit) => readConversation(unit.path) }
  },
}

const DEEPEST = 8
const POINTER_BYTES = 4096

function roots(machine: Machine): Root[] {
  const { home } = machine
  const { join } = pathsOf(machine)
  const moved = movedHome(join(home, '.lmstudio-home-pointer'))
  const homes = [
    ...(moved ? [{ path: moved, label: 'moved' }] : []),
    { path: join(home, '.lmstudio') },
    { path: join(home, '.cache', 'lm-studio'), label: 'older' },
  ]
  const folders = homes.map((root) => ({ ...root, path: join(root.path, 'conversations') }))
  return folders.filter((root, index) => folders.findIndex(({ path }) => path === root.path) === index)
}

/** Who moved LM Studio's folder finds its path in this file. */
function movedHome(pointer: string): string | undefined {
  const folder = smallText(pointer, POINTER_BYTES)?.trim() ?? ''
  return path.isAbsolute(folder) ? folder : undefined
}
