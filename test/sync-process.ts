/**
 * Syncs a home folder into an archive, as a process of its own that can be killed. With a number, at most
 * so many messages are written at once where a file is not longer: more writes to be killed in.
 */
import fs from 'node:fs'
import type { UnitReading } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { claudeCode } from '../src/sources/claude-code/index.ts'
import { copilotCli } from '../src/sources/copilot-cli/index.ts'
import { vscode } from '../src/sources/vscode/index.ts'
import { syncOnce } from '../src/sync/once.ts'

const [home, folder, most = 'Infinity'] = process.argv.slice(2)
const archive = openSqliteArchive(folder!)
const write = archive.write.bind(archive)
archive.write = async (readings, lease) => {
  const written = { added: 0, changed: 0, chats: new Set<number>() }
  for (const piece of pieces(readings, Number(most))) {
    say('writing')
    const { added, changed, chats } = await write(piece, lease)
    say('written')
    written.added += added
    written.changed += changed
    for (const chat of chats) written.chats.add(chat)
  }
  return written
}
say('syncing')
await syncOnce({
  archive,
  // Those that bench/corpus.ts writes for.
  sources: [claudeCode, copilotCli, vscode],
  machine: { platform: 'linux', home: home!, env: {} },
})
await archive.close()

function pieces(readings: UnitReading[], most: number): UnitReading[][] {
  const all: UnitReading[][] = []
  let messages = 0
  for (const reading of readings) {
    if (all.length === 0 || messages + reading.messages.length > most) {
      all.push([])
      messages = 0
    }
    all.at(-1)!.push(reading)
    messages += reading.messages.length
  }
  return all
}

/** At once: whoever kills us goes by it. */
function say(what: string): void {
  fs.writeSync(1, `${what}\n`)
}
