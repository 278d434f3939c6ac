import fs from 'node:fs'
import path from 'node:path'
import type { Figure } from './measured.ts'
import { bytesIn, type Prepared, task } from './prepared.ts'

/** Syncing beside reading and parsing the same bytes. */
export function syncFigures({ temp, home, archive }: Prepared): Figure[] {
  // In each turn anew: the machine may be faster in one minute than in the next.
  const parse = () => task('parse, warm', home(), '').medianMs!
  return [
    {
      name: 'full sync / parsing alone',
      async measure() {
        archive()
        const folder = fs.mkdtempSync(path.join(temp, 'full-'))
        const plain = parse()
        const ours = task('full', home(), folder).cpuMs!
        fs.rmSync(folder, { recursive: true, force: true })
        return { plain, ours }
      },
    },
    {
      name: 'unchanged sync / parsing alone',
      measure: async () => ({ plain: parse(), ours: task('unchanged, warm', home(), archive()).medianMs! }),
    },
    {
      name: 'one appended line / parsing alone',
      async measure() {
        // On copies: what is appended would be there for all that follow.
        const [own, of] = [path.join(temp, 'own-home'), path.join(temp, 'own-archive')]
        if (!fs.existsSync(own)) {
          fs.cpSync(home(), own, { recursive: true })
          task('full', own, of)
        }
        return { plain: parse(), ours: task('append', own, of).medianMs! }
      },
    },
    {
      name: 'archive / source, bytes',
      isExact: true,
      measure: async () => ({
        plain: bytesIn(home()),
        ours: fs.statSync(path.join(archive(), 'archive.db')).size,
      }),
    },
  ]
}
