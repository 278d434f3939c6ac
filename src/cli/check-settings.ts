import { contextFileName, namedFolder } from '../context/place.ts'
import { readConfigFile } from '../platform/config-file.ts'
import { recollectHome, thisMachine } from '../platform/machine.ts'
import type { GlobalOptions } from './archive.ts'

/** What a server must know before it begins. Loads nothing, so that a client's greeting does not wait for it. */
export function checkSettings({ sample }: GlobalOptions): void {
  contextFileName(process.env)
  namedFolder(process.env.WORKSPACE ?? '')
  if (!sample) readConfigFile(recollectHome(thisMachine()))
}

/** The same to the last word, for whoever has set something. */
export async function checkConfig({ sample }: GlobalOptions): Promise<void> {
  const folder = recollectHome(thisMachine())
  if (sample || readConfigFile(folder) === undefined) return
  const { readableBy } = await import('../sync/readable.ts')
  readableBy(folder, thisMachine())
}
