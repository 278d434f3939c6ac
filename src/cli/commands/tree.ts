import type { ArchivedChat } from '../../archive/archive.ts'
import type { Family } from '../../recall/family.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { readerOf } from '../call.ts'
import { count, dateTime } from '../format.ts'
import { fit, oneLine, paint } from '../paint.ts'

/** A chat with the chats it was forked from and into, and its sub-agents. */
export async function tree(reference: string, options: GlobalOptions): Promise<void> {
  await withArchive(options, async (archive) => {
    const { of, top } = await readerOf(archive, options).family(reference)
    if (options.json) console.log(JSON.stringify(plain(top)))
    else for (const line of lines(top, of, '', '')) console.log(line)
  })
}

function* lines(
  { chat, as, below }: Family,
  asked: ArchivedChat,
  lead: string,
  branch: string,
): Generator<string> {
  const { bold, dim, cyan } = paint(process.stdout)
  const title = fit(oneLine(chat.title), 70)
  const facts = [as === 'chat' ? '' : as, dateTime(chat.createdAt), count(chat.messageCount, 'message')]
    .filter(Boolean)
    .join(', ')
  yield `${lead}${branch}${chat.key === asked.key ? bold(title) : title}  ${dim(facts)}  ${cyan(chat.id)}`
  const deeper = lead + (branch === '' ? '' : branch === '└─ ' ? '   ' : '│  ')
  for (const [i, node] of below.entries())
    yield* lines(node, asked, deeper, i === below.length - 1 ? '└─ ' : '├─ ')
}

function plain({ chat, as, below }: Family): unknown {
  const { source, id, title, createdAt, messageCount } = chat
  return { source, id, title, createdAt, messageCount, as, below: below.map(plain) }
}
