import readline from 'node:readline/promises'
import type { ArchivedChat, Forgotten } from '../../archive/archive.ts'
import { backupFiles, isBeingMade } from '../../archive/backups.ts'
import { readHub } from '../../hub/settings.ts'
import { RecollectError } from '../../model/errors.ts'
import type { Elsewhere } from '../../recall/elsewhere.ts'
import type { Forgetter } from '../../service/forgetter.ts'
import { archiveFolder, type GlobalOptions, withArchive } from '../archive.ts'
import { forgetterOf } from '../call.ts'
import { EXIT } from '../errors.ts'
import { count, dateTime, moment } from '../format.ts'
import { oneLine } from '../paint.ts'
import { countingBar } from '../progress.ts'
import { unguarded } from '../terminal.ts'

interface Options extends GlobalOptions {
  workspace?: string
  before?: string
  yes?: boolean
  dryRun?: boolean
  undo?: boolean
  list?: boolean
  copies?: string
}

export async function forget(ids: string[], options: Options): Promise<void> {
  const { workspace, before, copies, json } = options
  if (copies !== undefined && copies !== 'rewrite' && copies !== 'delete')
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `--copies can be rewrite or delete, not ${JSON.stringify(copies)}.`,
      'rewrite takes forgotten chats out of backups and copies of the archive; delete removes all of them.',
    )
  const isChosen = ids.length > 0 || workspace !== undefined || before !== undefined
  if (options.undo) return await undo(ids, options)
  if (options.list) return await list(options)
  if (!isChosen && !copies) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Specify the chats to forget.',
      'Give ids, --workspace or --before: `recollect forget 3fa9c2d1`.',
    )
  }
  await withArchive(options, async (archive) => {
    const forgetter = forgetterOf(archive, options)
    const chats = isChosen
      ? await forgetter.unwanted({ chatIds: ids, workspace, before: moment(before) })
      : []
    if (isChosen && chats.length === 0 && !copies) return noneMatches(json)
    const elsewhere = await forgetter.elsewhere(archiveFolder(options), chats)
    if (options.dryRun) {
      const counted = await forgetter.count(chats)
      if (json) console.log(JSON.stringify({ ...counted, elsewhere }))
      else {
        console.log(
          `This would erase ${count(counted.chats, 'chat')} with ${count(counted.messages, 'message')}.`,
        )
        for (const line of saidOf(elsewhere)) console.log(line)
      }
      return
    }
    if (!options.yes && !(await agreed(chats, (await forgetter.count(chats)).chats, copies))) {
      console.log('Nothing was forgotten.')
      return
    }
    const forgotten = await forgetter.forget(chats)
    const done = copies && (await takeOutOfCopies(forgetter, archiveFolder(options), copies))
    // Asked again: a backup may have begun while it was decided on.
    elsewhere.copies = done ? done.left : backupFiles(archiveFolder(options))
    if (json) {
      console.log(JSON.stringify({ ...forgotten, ...(done && { copies: done }), elsewhere }))
      return
    }
    if (isChosen) for (const line of saidAfter(forgotten)) console.log(line)
    if (forgotten.chats > 0) for (const line of hubLines(archiveFolder(options))) console.log(line)
    if (done) {
      if (done.rewritten.length + done.deleted.length + done.left.length === 0)
        console.log(`No copy of the archive ${copies === 'delete' ? 'is there' : 'has a forgotten chat'}.`)
      if (done.rewritten.length > 0)
        console.log(`Taken out of ${count(done.rewritten.length, 'copy', 'copies')} of the archive.`)
      if (done.deleted.length > 0)
        console.log(
          `Deleted ${count(done.deleted.length, 'file')} of copies and backups. A new one: recollect backup`,
        )
    }
    if (chats.length > 0 || done) for (const line of saidOf(elsewhere)) console.log(line)
  })
}

/** Who mistyped a project must not take its chats for erased. */
function noneMatches(json: boolean | undefined): void {
  const elsewhere = { assistants: [], copies: [], exports: [], contexts: [] } satisfies Elsewhere
  if (json) console.log(JSON.stringify({ chats: 0, messages: 0, elsewhere }))
  else console.log('No chat matches: nothing was forgotten. `recollect list` shows what there is.')
  process.exitCode = EXIT.notFound
}

/** What becomes of it where it was shared. */
function hubLines(folder: string): string[] {
  const spaces = readHub(folder)?.spaces.filter(({ shares }) => shares.length > 0) ?? []
  if (spaces.length === 0) return []
  const plain = spaces.filter(({ sealed }) => !sealed).map(({ name }) => `"${name}"`)
  return [
    'If it was shared, it is removed from the hub, and from every machine that has it when that machine next connects.',
    ...(plain.length > 0
      ? [
          `Of ${plain.join(', ')} its bytes remain in the server's write-ahead log and backups until those are overwritten.`,
        ]
      : []),
  ]
}

async function takeOutOfCopies(forgetter: Forgetter, folder: string, how: 'rewrite' | 'delete') {
  if (how === 'delete') return await (await import('../../archive/sqlite/copies.ts')).deleteCopies(folder)
  const { forgetInBackups } = await import('../../archive/sqlite/rewrite-backups.ts')
  const bar = countingBar()
  const forgotten = await forgetter.forgotten()
  try {
    return await forgetInBackups(folder, forgotten, ({ done, all }) => bar.show(done, all, 'copies'))
  } finally {
    bar.clear()
  }
}

function saidAfter({ chats, messages, pending, forks = [], originals = [] }: Forgotten): string[] {
  const lines = [`Forgot ${count(chats, 'chat')} with ${count(messages, 'message')}.`]
  for (const fork of forks)
    lines.push(`  ${fork} began with the same messages: they are gone there too, its own words stay.`)
  for (const original of originals)
    lines.push(`  ${original} has the messages that they began with: forget it as well, or they stay there.`)
  if (pending)
    lines.push(
      'Bytes of them may be left in free pages and in the log: another process is reading an older state, or there is no room on the disk. They are wiped as soon as a process that syncs finds nobody in the way; `recollect sync` does so at once.',
    )
  return lines
}

/** Where the words are still, and what can be done there. */
function saidOf({ assistants, copies, exports, contexts }: Elsewhere): string[] {
  const part = (files: string[], what: string, hint: string) =>
    files.length === 0 ? [] : [`${what} (${hint}):`, ...fileLines(files)]
  return [
    ...part(assistants, 'Still in files of assistants', 'delete them there; sync leaves them out'),
    ...part(
      copies,
      'Perhaps still in copies of the archive',
      copies.some(isBeingMade)
        ? 'one is being made; `recollect forget --copies rewrite`, or `--copies delete`, waits for its end'
        : '`recollect forget --copies rewrite`, or `--copies delete`',
    ),
    ...part(exports, 'Still in exports', 'delete or export again'),
    ...part(contexts, 'Still in context files', 'edit the entries that name the chat'),
  ]
}

const SHOWN = 10

function fileLines(files: string[]): string[] {
  const lines = files.slice(0, SHOWN).map((file) => `  ${oneLine(file)}`)
  return files.length > SHOWN ? [...lines, `  … and ${files.length - SHOWN} more`] : lines
}

async function undo(ids: string[], options: Options): Promise<void> {
  if (ids.length === 0)
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Specify the chats to take back.',
      'Give ids: `recollect forget --list` shows those of forgotten chats.',
    )
  await withArchive(options, async (archive) => {
    const back = await forgetterOf(archive, options).letBack(ids)
    if (options.json) console.log(JSON.stringify({ undone: back }))
    else {
      for (const { source, id } of back) console.log(`  ${source}:${oneLine(id)}`)
      console.log(
        `${count(back.length, 'chat')} will be read again by the next sync, where the files are still there: recollect sync`,
      )
    }
  })
}

async function list(options: Options): Promise<void> {
  await withArchive(options, async (archive) => {
    const all = await forgetterOf(archive, options).forgotten()
    if (options.json) console.log(JSON.stringify({ forgotten: all }))
    else if (all.length === 0) console.log('No chat is forgotten.')
    else
      for (const { source, id, at, copyOf } of all)
        console.log(`${dateTime(at)}  ${source}:${oneLine(id)}${copyOf ? `  with ${oneLine(copyOf)}` : ''}`)
  })
}

/** Asks with the number of all that goes: sub-agents' chats go with the chat that started them. */
async function agreed(chats: ArchivedChat[], all: number, copies: string | undefined): Promise<boolean> {
  const what =
    chats.length > 0
      ? `erase ${count(all, 'chat')} for good`
      : `${copies} the copies of the archive, for good`
  if (!process.stdin.isTTY) {
    throw new RecollectError('INVALID_ARGUMENT', `This would ${what}.`, 'Add --yes to skip the confirmation.')
  }
  for (const chat of chats.slice(0, SHOWN))
    console.log(`  ${dateTime(chat.updatedAt)}  ${oneLine(chat.title)}`)
  if (chats.length > SHOWN) console.log(`  … and ${chats.length - SHOWN} more`)
  const prompt = readline.createInterface({ input: process.stdin, output: unguarded(process.stdout) })
  try {
    const answer = await prompt.question(`${what[0]!.toUpperCase()}${what.slice(1)}? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    prompt.close()
  }
}
