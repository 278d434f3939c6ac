import fs from 'node:fs'
import path from 'node:path'
import { recollectHome } from '../../src/platform/machine.ts'
import type { Desk } from './desk.ts'
import { machineOf } from './places.ts'
import { messageOf } from './words.ts'

/** Who has an archive wants it in step; who has none is not taken by surprise. */
export async function keepInStep(desk: Desk): Promise<void> {
  const { sync } = desk.settings
  const folder = recollectHome(machineOf(desk.places, desk.settings))
  if (sync === 'off' || (sync === 'whenUsed' && !fs.existsSync(path.join(folder, 'archive.db')))) return
  try {
    const secretary = await desk.secretary()
    secretary.syncing()
  } catch (error) {
    desk.log.warn(messageOf(error))
  }
}
