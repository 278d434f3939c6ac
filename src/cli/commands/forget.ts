import readline from 'node:readline/promises'
import type { ArchivedChat } from '../../archive/archive.ts'
import { RecollectError } from '../../model/errors.ts'
import { unwantedChats } from '../../recall/forgetting.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { count, dateTime, moment } from '../format.ts'
import { oneLine } from '../paint.ts'
import { unguarded } from '../terminal.ts'

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
    const { workspace, before } = options
    const chats = await unwantedChats(archive, { chatIds: ids, workspace, before: moment(before) })
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
  const prompt = readline.createInterface({ input: process.stdin, output: unguarded(process.stdout) })
  try {
    const answer = await prompt.question(`Erase ${count(chats.length, 'chat')} for good? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    prompt.close()
  }
}
