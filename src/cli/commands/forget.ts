import readline from 'node:readline/promises'
import type { Archive, ArchivedChat } from '../../archive/archive.ts'
import { RecollectError } from '../../model/errors.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { count, dateTime, moment } from '../format.ts'
import { oneLine } from '../paint.ts'

interface Options extends GlobalOptions {
  workspace?: string
  before?: string
  yes?: boolean
}

export async function forget(ids: string[], options: Options): Promise<void> {
  if (ids.length === 0 && !options.workspace && !options.before) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Which chats are to be forgotten?',
      'Give ids, --workspace or --before: `recollect forget 3fa9c2d1`.',
    )
  }
  await withArchive(options, async (archive) => {
    const chats = await chosen(archive, ids, options)
    if (chats.length > 0 && !options.yes && !(await agreed(chats))) {
      console.log('Nothing was forgotten.')
      return
    }
    const forgotten =
      chats.length > 0 ? await archive.forget(chats) : { chats: 0, messages: 0, pending: false }
    if (options.json) console.log(JSON.stringify(forgotten))
    else {
      console.log(`Forgot ${count(forgotten.chats, 'chat')} with ${count(forgotten.messages, 'message')}.`)
      if (forgotten.pending) {
        console.log(
          'Another process still reads an older state; the last traces go when it is done. Run `recollect doctor` then.',
        )
      }
    }
  })
}

async function chosen(archive: Archive, ids: string[], options: Options): Promise<ArchivedChat[]> {
  const named = await Promise.all(ids.map((id) => archive.resolveChat(id)))
  if (!options.workspace && !options.before) return named
  const before = moment(options.before)
  const found = await archive.listChats(
    { workspace: options.workspace, subagents: true },
    { limit: 1_000_000 },
  )
  return [...named, ...found.filter((chat) => before === undefined || (chat.updatedAt ?? 0) < before)]
}

async function agreed(chats: ArchivedChat[]): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `This would erase ${count(chats.length, 'chat')} for good.`,
      'Add --yes to do so without being asked.',
    )
  }
  for (const chat of chats.slice(0, 10)) console.log(`  ${dateTime(chat.updatedAt)}  ${oneLine(chat.title)}`)
  if (chats.length > 10) console.log(`  … and ${chats.length - 10} more`)
  const prompt = readline.createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await prompt.question(`Erase ${count(chats.length, 'chat')} for good? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    prompt.close()
  }
}
