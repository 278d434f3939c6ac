import { z } from 'zod'
import { backupsFolder, KEPT, listBackups } from '../archive/backups.ts'
import type { BackupMade } from '../archive/sqlite/backup.ts'
import { RecollectError } from '../model/errors.ts'
import { type Route, route } from './route.ts'

/** Backups: those there are, and one made now. Bringing one back is a command, for it replaces the archive that is served. */
export const backupRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/backups',
    summary: 'The backups there are, the newest first',
    tag: 'owner',
    owner: true,
    answer: z.object({
      folder: z.string().describe('Where the weekly ones and those made here are'),
      kept: z.number().describe('How many are kept there'),
      bytes: z.number().describe('What they take there together'),
      backups: z.array(
        z.object({
          name: z.string(),
          kind: z
            .enum(['backup', 'before-update'])
            .describe('`before-update`: a plain copy, made before an older archive was brought up to date'),
          file: z.string(),
          createdAt: z.number(),
        }),
      ),
    }),
    async handle({ backend }) {
      const home = await backend.folder()
      const folder = backupsFolder(home)
      const { bytesIn } = await import('../archive/sqlite/backup.ts')
      const backups = listBackups(home).map(({ folder: _, ...backup }) => backup)
      return { folder, kept: KEPT, bytes: bytesIn(folder), backups }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/backups',
    summary: 'Make a backup now, read all of it back, and remove the oldest beyond those that are kept',
    tag: 'owner',
    owner: true,
    act: 'configure',
    answer: z.object({
      name: z.string(),
      file: z.string(),
      bytes: z.number().describe('Of the archive'),
      addedBytes: z.number().describe('What this backup added to its folder'),
      removed: z.array(z.string()),
    }),
    async handle({ backend }) {
      if (backend.sample)
        throw new RecollectError(
          'SAMPLE_ARCHIVE',
          'The sample archive needs no backup.',
          'Go back to your own archive first.',
        )
      return await backUpOnce(await backend.folder())
    },
  }),
]

type Made = Pick<BackupMade, 'name' | 'file' | 'bytes' | 'addedBytes' | 'removed'>

/** Somebody looks at the page: who has to wait for longer is told so. */
const PATIENCE_MS = 30_000

const running = new Map<string, Promise<Made>>()

/** Whoever asks while one is being made gets that one. */
function backUpOnce(home: string): Promise<Made> {
  const made = running.get(home) ?? backUp(home).finally(() => running.delete(home))
  running.set(home, made)
  return made
}

async function backUp(home: string): Promise<Made> {
  const { makeBackup } = await import('../archive/sqlite/backup.ts')
  const { name, file, bytes, addedBytes, removed } = await makeBackup(home, { patience: PATIENCE_MS })
  return { name, file, bytes, addedBytes, removed }
}
