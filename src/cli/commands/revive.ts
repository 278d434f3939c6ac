import type { Revival } from '../../recall/revive.ts'
import { type GlobalOptions, machineOf, withArchive } from '../archive.ts'
import { reviverOf } from '../call.ts'
import { bytes, count, tilde } from '../format.ts'

interface Options extends GlobalOptions {
  dryRun?: boolean
}

/** Writes an archived chat back where its assistant looks for it. */
export async function revive(reference: string, options: Options): Promise<void> {
  await withArchive(options, async (archive) => {
    const reviver = reviverOf(archive, options)
    const done = options.dryRun ? await reviver.plan(reference) : await reviver.revive(reference)
    if (!options.dryRun) await syncSource(archive, done.source, options)
    if (options.json) console.log(JSON.stringify({ ...done, ...(options.dryRun && { dryRun: true }) }))
    else for (const line of said(done, options.dryRun === true)) console.log(line)
  })
}

/** So that it is known for what it is; where somebody else syncs, that one does it. */
async function syncSource(
  archive: Parameters<Parameters<typeof withArchive>[1]>[0],
  id: string,
  options: Options,
): Promise<void> {
  const { syncOnce } = await import('../../sync/once.ts')
  const { sources } = await import('../../sources/index.ts')
  await syncOnce({
    archive,
    sources: sources.filter((source) => source.id === id),
    machine: machineOf(options),
  })
}

function said({ files, messages, requests, command, workspace }: Revival, isPlan: boolean): string[] {
  const verb = isPlan ? 'Would write' : 'Wrote'
  return [
    `${verb} ${count(messages, 'message')} of ${count(requests, 'request')}, as they were said:`,
    ...files.map((file) => `  ${tilde(file.path)} (${bytes(file.bytes)})`),
    ...(command ? [`Go on with it${workspace ? ` in ${tilde(workspace)}` : ''}: ${command}`] : []),
  ]
}
