import readline from 'node:readline/promises'
import { type GlobalOptions, openArchive } from '../archive.ts'
import { readerOf } from '../call.ts'
import { EXIT } from '../errors.ts'
import { paint } from '../paint.ts'
import { readable } from '../readable.ts'
import { unguarded } from '../terminal.ts'
import { type ServeOptions, serve } from './serve.ts'
import { table } from './status.ts'
import { syncWithProgress } from './sync.ts'

/** Reads the chats on this machine, says what was found, then serves the page until Ctrl-C. */
export async function start(options: ServeOptions): Promise<void> {
  const { bold } = paint(process.stdout)
  console.log(
    bold(options.sample ? 'Recollect: the sample archive' : 'Recollect: reading the chats on this machine'),
  )
  const chats = await readAll(options)
  if (process.exitCode === EXIT.interrupted) return
  if (chats === 0 && !options.sample) {
    // That there are none, and what to do, the sync has said.
    console.log(
      paint(process.stdout).dim('Chats of another home (WSL, a copy): docs/configuration.md, "homes".'),
    )
    if (await wantsSample()) {
      await start({ ...options, sample: true })
      return
    }
  }
  await serve(options)
}

/** Syncs with a progress bar, and says what there is. */
async function readAll(options: GlobalOptions): Promise<number> {
  const archive = openArchive(options)
  try {
    await syncWithProgress(archive, readable(options).sources, { ...options, json: false })
    const overview = await readerOf(archive, options).overview()
    if (overview.chats > 0) console.log(`\n${table(overview)}\n`)
    return overview.chats
  } finally {
    await archive.close()
  }
}

async function wantsSample(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('\nTry the built-in sample archive: npm start -- --sample\n')
    return false
  }
  const line = readline.createInterface({ input: process.stdin, output: unguarded(process.stdout) })
  line.on('SIGINT', () => process.exit(EXIT.interrupted))
  try {
    const answer = await line.question('\nOpen the built-in sample archive instead? [Y/n] ')
    return !/^n/i.test(answer.trim())
  } catch {
    return false
  } finally {
    line.close()
  }
}
