import { type CallOptions, noterOf, withGate } from '../call.ts'
import { oneLine } from '../paint.ts'

export async function star(chats: string[], options: CallOptions & { remove?: boolean }): Promise<void> {
  await withGate(options, async (_, archive) => {
    const noter = noterOf(archive, options)
    const noted = []
    for (const chat of chats) noted.push(await noter.note(chat, { pinned: !options.remove }))
    const told = noted.map(({ source, id, title, pinned = false }) => ({
      source,
      id,
      title,
      starred: pinned,
    }))
    if (options.json) console.log(JSON.stringify({ chats: told }))
    else for (const { title, starred } of told) console.log(`${starred ? '★' : '☆'} ${oneLine(title)}`)
  })
}
