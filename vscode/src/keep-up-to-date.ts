import fs from 'node:fs'
import path from 'node:path'
import { recollectHome } from '../../src/platform/machine.ts'
import type { Backend } from './backend.ts'
import { machineOf } from './places.ts'
import { messageOf } from './words.ts'

/** Whoever has an archive wants it up to date; whoever has none is not taken by surprise. */
export async function keepUpToDate(backend: Backend): Promise<void> {
  const { sync } = backend.settings
  const folder = recollectHome(machineOf(backend.places, backend.settings))
  if (sync === 'off' || (sync === 'whenUsed' && !fs.existsSync(path.join(folder, 'archive.db')))) return
  try {
    const secretary = await backend.secretary()
    secretary.syncing()
  } catch (error) {
    backend.log.warn(messageOf(error))
  }
}
