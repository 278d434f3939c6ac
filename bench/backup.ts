/**
 * What a backup takes, and what the next one adds after the archive grew by one percent:
 * `node bench/backup.ts [messages …]`. The ratios compare with the archive and the first backup in the same run, so that
 * they hold on any machine. Some 640 bytes of archive for each message.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { backupsIn } from '../src/archive/backups.ts'
import { makeBackup } from '../src/archive/sqlite/backup.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { restore } from '../src/archive/sqlite/restore.ts'
import { claudeCode } from '../src/sources/claude-code/index.ts'
import { copilotCli } from '../src/sources/copilot-cli/index.ts'
import { vscode } from '../src/sources/vscode/index.ts'
import { syncOnce } from '../src/sync/once.ts'
import { appendMessage, writeCorpus } from './corpus.ts'

const sizes = process.argv.slice(2).map(Number)
const rows: Record<string, Record<string, number>> = {}
for (const messages of sizes.length > 0 ? sizes : [10_000]) {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-'))
  try {
    rows[`${messages} messages`] = await measure(messages, temp)
  } finally {
    fs.rmSync(temp, { recursive: true, force: true })
  }
}
console.table(rows)

async function measure(messages: number, temp: string): Promise<Record<string, number>> {
  const home = path.join(temp, 'home')
  const folder = path.join(temp, 'archive')
  writeCorpus(home, { messages })
  await synced(home, folder)
  const size = fs.statSync(path.join(folder, 'archive.db')).size
  const first = await measured(() => makeBackup(folder))
  const unchanged = await measured(() => makeBackup(folder))
  // Some chats go on, by what was said in others: one percent.
  const transcripts = fs
    .readdirSync(path.join(home, '.claude'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(home, '.claude', name))
  const said = fs.readFileSync(transcripts[0]!, 'utf8').repeat(3)
  const going = transcripts.slice(0, Math.max(3, Math.ceil(transcripts.length / 50)))
  for (let added = 0; added < messages * 0.01; added++) {
    const at = (added * 7919) % (said.length / 2)
    appendMessage(home, going[added % going.length]!, said.slice(at, at + 700))
  }
  await synced(home, folder)
  const grown = fs.statSync(path.join(folder, 'archive.db')).size
  const second = await measured(() => makeBackup(folder))
  const restored = await measured(async () =>
    restore(path.join(temp, 'restored'), backupsIn(path.join(folder, 'backups'))[0]!),
  )
  return {
    'archive MB': round(size / 1e6),
    'first backup / archive': round(first.result.addedBytes / size),
    'unchanged adds / first': round(unchanged.result.addedBytes / first.result.addedBytes, 4),
    'archive grew by %': round((100 * (grown - size)) / size),
    'next adds / first': round(second.result.addedBytes / first.result.addedBytes, 4),
    'CPU of next / first': round(second.cpuMs / first.cpuMs),
    'first, CPU ms for each MB': round((1e6 * first.cpuMs) / size),
    'restore, CPU ms for each MB': round((1e6 * restored.cpuMs) / size),
  }
}

async function synced(home: string, folder: string): Promise<void> {
  const archive = openSqliteArchive(folder)
  const machine = { platform: process.platform, home, env: {} }
  await syncOnce({ archive, sources: [claudeCode, copilotCli, vscode], machine })
  await archive.close()
}

async function measured<T>(work: () => Promise<T>): Promise<{ result: T; cpuMs: number }> {
  const begun = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(begun)
  return { result, cpuMs: (user + system) / 1000 }
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
