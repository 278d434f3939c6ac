/** Syncs a home folder into an archive, as a process of its own that can be killed. */
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'

const [home, folder] = process.argv.slice(2)
const archive = openSqliteArchive(folder!)
process.stdout.write('syncing\n')
await syncOnce({ archive, sources, machine: { platform: 'linux', home: home!, env: {} } })
await archive.close()
