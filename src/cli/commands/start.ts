import readline from 'node:readline/promises'
import type { Archive } from '../../archive/archive.ts'
import { sources } from '../../sources/index.ts'
import { type GlobalOptions, machineOf, openArchive } from '../archive.ts'
import { tilde } from '../format.ts'
import { paint } from '../paint.ts'
import { readable } from '../readable.ts'
import { results } from '../results.ts'
import { find } from './search.ts'
import { showChat } from './show.ts'
import { table } from './status.ts'
import { syncWithProgress } from './sync.ts'

/** Sync, say what was found, then search until the person has enough. */
export async function start(options: GlobalOptions): Promise<void> {
  const { bold } = paint(process.stdout)
  console.log(
    bold(options.sample ? 'Recollect: the sample archive' : 'Recollect: reading the chats on this machine'),
  )
  const archive = openArchive(options)
  try {
    await syncWithProgress(archive, readable(options).sources, options)
    const overview = await archive.overview()
    if (overview.chats === 0) {
      whereWeLooked(options)
      if (!options.sample && (await wantsSample())) await start({ ...options, sample: true })
      return
    }
    console.log(`\n${table(overview)}\n`)
    await prompt(archive, options)
  } finally {
    await archive.close()
  }
}

function whereWeLooked(options: GlobalOptions): void {
  const { dim } = paint(process.stdout)
  const machine = machineOf(options)
  console.log('No chats were found on this machine. These places were looked at:')
  for (const source of sources) {
    const [first, ...others] = source.roots(machine)
    if (!first) continue
    const more = others.length > 0 ? dim(` and ${others.length} more`) : ''
    console.log(`  ${source.name.padEnd(20)} ${dim(tilde(first.path))}${more}`)
  }
  console.log(dim('`recollect paths` lists them all.'))
}

async function wantsSample(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('\nTry the built-in sample archive: npm start -- --sample')
    return false
  }
  const line = readline.createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await line.question('\nOpen the built-in sample archive instead? [Y/n] ')
    return !/^n/i.test(answer.trim())
  } catch {
    return false
  } finally {
    line.close()
  }
}

async function prompt(archive: Archive, options: GlobalOptions): Promise<void> {
  const { dim, bold } = paint(process.stdout)
  if (!process.stdin.isTTY) {
    console.log('Search with: bin/recollect search <words>')
    return
  }
  console.log(dim('Type words to search, a number to read that chat, q to leave.'))
  const line = readline.createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: bold('search> '),
  })
  let found: { chat: string; from: string }[] = []
  line.prompt()
  for await (const typed of line) {
    const text = typed.trim()
    if (/^(q|quit|exit)$/i.test(text)) break
    try {
      if (/^\d{1,2}$/.test(text) && found[Number(text) - 1]) {
        line.pause()
        const { chat, from } = found[Number(text) - 1]!
        await showChat(archive, chat, { ...options, from })
      } else if (text !== '') {
        const began = performance.now()
        const answer = await find(archive, text, { ...options, limit: '9' })
        found = answer.results.map((result) => ({
          chat: `${result.source}:${result.chatId}`,
          from: String(Math.max(0, (result.snippets[0]?.index ?? 0) - 1)),
        }))
        const took = dim(`${answer.totalFound} found in ${(performance.now() - began).toFixed(1)} ms`)
        console.log(
          found.length > 0
            ? `\n${results(answer, { numbered: true })}\n\n${took}`
            : 'Nothing found. Try other words.',
        )
      }
    } catch (error) {
      console.log(error instanceof Error ? error.message : String(error))
    }
    line.prompt()
  }
  line.close()
}
