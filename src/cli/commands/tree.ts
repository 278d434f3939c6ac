import type { Archive, ArchivedChat } from '../../archive/archive.ts'
import { redactJson } from '../../platform/redact.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { count, dateTime } from '../format.ts'
import { fit, oneLine, paint } from '../paint.ts'

const DEEPEST = 20

interface Node {
  chat: ArchivedChat
  /** How it came from the one above it. */
  as: 'chat' | 'fork' | 'sub-agent'
  below: Node[]
}

/** A chat with the chats it was forked from and into, and its sub-agents. */
export async function tree(reference: string, options: GlobalOptions): Promise<void> {
  await withArchive(options, async (archive) => {
    const chat = await archive.resolveChat(reference)
    const top = await grow(archive, await topOf(archive, chat), 'chat', new Set())
    if (options.json) console.log(JSON.stringify(redactJson(plain(top))))
    else for (const line of lines(top, chat, '', '')) console.log(line)
  })
}

async function topOf(archive: Archive, chat: ArchivedChat): Promise<ArchivedChat> {
  let top = chat
  for (let depth = 0; depth < DEEPEST; depth++) {
    const { parent, original } = await archive.relatives(top)
    const above = parent ?? original
    if (!above || above.key === chat.key) break
    top = above
  }
  return top
}

async function grow(archive: Archive, chat: ArchivedChat, as: Node['as'], seen: Set<number>): Promise<Node> {
  seen.add(chat.key)
  const { subagents, forks } = await archive.relatives(chat)
  const below: Node[] = []
  for (const [child, kind] of [
    ...subagents.map((each) => [each, 'sub-agent'] as const),
    ...forks.map((each) => [each, 'fork'] as const),
  ]) {
    if (!seen.has(child.key) && seen.size < 1_000) below.push(await grow(archive, child, kind, seen))
  }
  return { chat, as, below }
}

function* lines(
  { chat, as, below }: Node,
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

function plain({ chat, as, below }: Node): unknown {
  const { source, id, title, createdAt, messageCount } = chat
  return { source, id, title, createdAt, messageCount, as, below: below.map(plain) }
}
