/**
 * Syncs a home folder into an archive, as a process of its own that can be killed. With a number, at most
 * so many messages are written at once where a file is not longer: more writes to be killed in. With another, so many
 * threads read.
 */
import fs from 'node:fs'
import type { WriteResult } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { claudeCode } from '../src/sources/claude-code/index.ts'
import { copilotCli } from '../src/sources/copilot-cli/index.ts'
import { vscode } from '../src/sources/vscode/index.ts'
import { syncOnce } from '../src/sync/once.ts'

const [home, folder, most = 'Infinity', threads = '0'] = process.argv.slice(2)
const archive = openSqliteArchive(folder!)
const { write, writeParcel } = archive
archive.write = (readings, lease) =>
  inPieces(
    readings,
    ({ messages }) => messages.length,
    (some) => write(some, lease),
  )
archive.writeParcel = (parcel, lease) =>
  inPieces(
    parcel.readings,
    ({ first, end }) => end - first,
    (readings) => writeParcel({ ...parcel, readings }, lease),
  )
say('syncing')
await syncOnce({
  archive,
  // Those that bench/corpus.ts writes for.
  sources: [claudeCode, copilotCli, vscode],
  machine: { platform: 'linux', home: home!, env: {} },
  threads: Number(threads),
})
await archive.close()

async function inPieces<R>(
  readings: R[],
  size: (reading: R) => number,
  writeSome: (readings: R[]) => Promise<WriteResult>,
): Promise<WriteResult> {
  const written = { added: 0, changed: 0, chats: new Set<number>() }
  for (const piece of pieces(readings, size)) {
    say('writing')
    const { added, changed, chats } = await writeSome(piece)
    say('written')
    written.added += added
    written.changed += changed
    for (const chat of chats) written.chats.add(chat)
  }
  return written
}

function pieces<R>(readings: R[], size: (reading: R) => number): R[][] {
  const all: R[][] = []
  let messages = 0
  for (const reading of readings) {
    if (all.length === 0 || messages + size(reading) > Number(most)) {
      all.push([])
      messages = 0
    }
    all.at(-1)!.push(reading)
    messages += size(reading)
  }
  return all
}

/** At once: whoever kills us goes by it. */
function say(what: string): void {
  fs.writeSync(1, `${what}\n`)
}
