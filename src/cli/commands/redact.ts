import readline from 'node:readline/promises'
import type { ArchivedChat, AtRest } from '../../archive/archive.ts'
import { RecollectError } from '../../model/errors.ts'
import type { Elsewhere } from '../../recall/elsewhere.ts'
import type { SecretsReport } from '../../service/redactor.ts'
import { archiveFolder, type GlobalOptions, withArchive } from '../archive.ts'
import { redactorOf } from '../call.ts'
import { EXIT } from '../errors.ts'
import { count } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { oneLine } from '../paint.ts'
import { countingBar } from '../progress.ts'
import { unguarded } from '../terminal.ts'

interface Options extends GlobalOptions {
  atRest?: boolean
  yes?: boolean
  backups?: boolean
}

/** Says what secrets are in the archive, by kind and chat, and takes them out of it on request. */
export async function redact(ids: string[], options: Options): Promise<void> {
  const { json, atRest, backups = true } = options
  await withArchive(options, async (archive) => {
    const redactor = redactorOf(archive, options)
    const chats = ids.length > 0 ? await redactor.chosen(ids) : undefined
    const bar = countingBar()
    const { signal, done } = onInterrupt()
    const onProgress = (progress: { done: number; all: number }) =>
      bar.show(progress.done, progress.all, 'chats')
    try {
      const report = await redactor.report(chats, { onProgress, signal })
      bar.clear()
      if (!atRest) {
        if (json) console.log(JSON.stringify(report))
        else for (const line of said(report)) console.log(line)
        return
      }
      if (!options.yes && !(await agreed(report, backups))) {
        console.log('Nothing was rewritten.')
        return
      }
      const folder = archiveFolder(options)
      const rewritten = await redactor.atRest(chats, { onProgress, signal })
      bar.clear()
      const copies = backups ? await inBackups(folder, chats, bar) : undefined
      const { assistants, copies: others } = await redactor.elsewhere(folder, report)
      const elsewhere = { assistants, copies: backups ? [] : others }
      if (json) console.log(JSON.stringify({ ...report, rewritten, ...(copies && { copies }), elsewhere }))
      else for (const line of saidAfter(rewritten, copies, elsewhere)) console.log(line)
    } catch (error) {
      if (!signal.aborted) throw error
      bar.clear()
      if (json) console.log(JSON.stringify({ interrupted: true }))
      else console.log('Stopped. Each chat is rewritten whole or not at all; run it again to continue.')
      process.exitCode = EXIT.interrupted
    } finally {
      done()
    }
  })
}

const SHOWN = 20

function said({ secrets, messages, kinds, chats }: SecretsReport): string[] {
  if (secrets === 0) return ['No secrets were found in the archive.']
  const lines = [
    `${count(secrets, 'secret')} in ${messages > 0 ? count(messages, 'message') : 'names'} of ${count(chats.length, 'chat')}, masked wherever they are shown:`,
    ...Object.entries(kinds).map(([kind, times]) => `  ${String(times).padStart(6)}  ${kind}`),
    '',
  ]
  for (const { source, chatId, title, kinds } of chats.slice(0, SHOWN)) {
    const all = Object.entries(kinds).map(([kind, times]) => (times > 1 ? `${kind} × ${times}` : kind))
    lines.push(`  ${source}:${oneLine(chatId)}  ${oneLine(title).slice(0, 60)}`, `    ${all.join(', ')}`)
  }
  if (chats.length > SHOWN) lines.push(`  … and ${chats.length - SHOWN} more (--json lists all)`)
  lines.push(
    '',
    'To take them out of the archive, its index and its backups for good: recollect redact --at-rest',
  )
  return lines
}

async function inBackups(
  folder: string,
  chats: ArchivedChat[] | undefined,
  bar: ReturnType<typeof countingBar>,
) {
  const { redactBackups } = await import('../../archive/sqlite/rewrite-backups.ts')
  try {
    return await redactBackups(folder, {
      ...(chats && { chats }),
      onProgress: ({ done, all }) => bar.show(done, all, 'backups'),
    })
  } finally {
    bar.clear()
  }
}

type Places = Pick<Elsewhere, 'assistants' | 'copies'>

function saidAfter(
  { chats, messages, pending, running }: AtRest,
  copies: { rewritten: string[]; left: string[] } | undefined,
  { assistants, copies: kept }: Places,
): string[] {
  const lines = [`Rewrote ${count(messages, 'message')} of ${count(chats, 'chat')} without their secrets.`]
  if (running.length > 0)
    lines.push(
      'Dialogs that are under way were left as they are (run it again when they have ended):',
      ...files(running),
    )
  if (copies && copies.rewritten.length > 0)
    lines.push(
      `Rewrote ${count(copies.rewritten.length, 'backup or copy', 'backups and copies')} of the archive.`,
    )
  if (copies && copies.left.length > 0)
    lines.push(
      'These could not be rewritten (`recollect forget --copies delete` removes them):',
      ...files(copies.left),
    )
  if (kept.length > 0) lines.push('Perhaps still in backups and copies of the archive:', ...files(kept))
  if (assistants.length > 0)
    lines.push('Still in files of assistants, which are never written to:', ...files(assistants))
  if (pending)
    lines.push(
      'Bytes of them may be left in free pages and in the log: another process is reading an older state, or there is no room on the disk. They are wiped as soon as a process that syncs finds nobody in the way; `recollect sync` does so at once.',
    )
  lines.push('For all that comes: "redactAtRest": true in config.json.')
  return lines
}

function files(all: string[]): string[] {
  const lines = all.slice(0, SHOWN).map((file) => `  ${oneLine(file)}`)
  return all.length > SHOWN ? [...lines, `  … and ${all.length - SHOWN} more`] : lines
}

async function agreed({ secrets, chats }: SecretsReport, backups: boolean): Promise<boolean> {
  const what = `rewrite ${count(chats.length, 'chat')} without ${count(secrets, 'secret')}${backups ? ', in backups too' : ''}, for good`
  if (!process.stdin.isTTY)
    throw new RecollectError('INVALID_ARGUMENT', `This would ${what}.`, 'Add --yes to skip the confirmation.')
  const prompt = readline.createInterface({ input: process.stdin, output: unguarded(process.stdout) })
  try {
    const answer = await prompt.question(`${what[0]!.toUpperCase()}${what.slice(1)}? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    prompt.close()
  }
}
