import { spawn } from 'node:child_process'
import { once } from 'node:events'
import readline from 'node:readline/promises'
import { isatty } from 'node:tty'
import { MuchToDo } from '../../sync/job.ts'
import { type GlobalOptions, openArchive } from '../archive.ts'
import { readerOf } from '../call.ts'
import { EXIT } from '../errors.ts'
import { STOPPING } from '../interrupt.ts'
import { paint } from '../paint.ts'
import { readable } from '../readable.ts'
import { unguarded } from '../terminal.ts'
import { type ServeOptions, serve, whereToListen } from './serve.ts'
import { table } from './status.ts'
import { syncWithProgress } from './sync.ts'

/** Reads the chats on this machine, says what was found, then serves the page until Ctrl-C. */
export async function start(options: ServeOptions): Promise<void> {
  // Reading may take its time: what is wrong is said before.
  whereToListen(options)
  const { bold } = paint(process.stdout)
  console.log(
    bold(options.sample ? 'Recollect: the sample archive' : 'Recollect: reading the chats on this machine'),
  )
  const chats = await readAll(options)
  if (process.exitCode) return
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
    const { sources } = readable(options)
    try {
      await syncWithProgress(archive, sources, { ...options, json: false, leavesMuch: true })
    } catch (error) {
      if (!(error instanceof MuchToDo)) throw error
      process.exitCode = await syncElsewhere(options)
      if (process.exitCode) return 0
    }
    const overview = await readerOf(archive, options).overview()
    if (overview.chats > 0) console.log(`\n${table(overview)}\n`)
    return overview.chats
  } finally {
    await archive.close()
  }
}

/** Has `recollect sync` read what is much, on the same terminal: memory that it takes, and flags that it sets, are not the server's. Its exit code. */
async function syncElsewhere({ sample }: GlobalOptions): Promise<number> {
  const args = [...process.execArgv, process.argv[1]!, ...(sample ? ['--sample'] : []), 'sync']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  // A terminal sends Ctrl-C to both: passed on, it would be a second one, which ends the work at once.
  const isFromTerminal = [0, 1, 2].some((fd) => isatty(fd))
  const pass = (name: NodeJS.Signals) => void ((name === 'SIGINT' && isFromTerminal) || child.kill(name))
  for (const name of STOPPING) process.on(name, pass)
  try {
    const [code] = await once(child, 'exit')
    return code ?? EXIT.interrupted
  } finally {
    for (const name of STOPPING) process.off(name, pass)
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
