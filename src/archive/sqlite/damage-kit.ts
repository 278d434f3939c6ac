import assert from 'node:assert/strict'
import type { Archive, Lease, UnitReading } from '../archive.ts'
import { openSqliteArchive } from './index.ts'

export const DAMAGED_BYTES = 32
const MODEL = 'test'

/** Numbers that are the same at each run. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}

const WORDS = 'pool deadlock retry schema index cache socket token branch merge lease vector page seal'.split(
  ' ',
)

export function readingOf(number: number, random: () => number): UnitReading {
  const id = `chat-${number}`
  const say = (least: number) =>
    Array.from(
      { length: least + Math.floor(random() * 60) },
      () => WORDS[Math.floor(random() * WORDS.length)]! + Math.floor(random() * 400),
    ).join(' ')
  return {
    source: 'claude-code',
    path: `/home/me/${id}.jsonl`,
    rank: 0,
    fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    checkpoint: { offset: 10, state: { note: say(4) } },
    generation: 1,
    chats: [{ source: 'claude-code', id, title: `About ${say(3)}`, workspace: `/work/${number % 5}` }],
    messages: Array.from({ length: 24 }, (_, i) => ({
      chatId: id,
      message: {
        id: `${number}-${i}`,
        order: i + 0.25,
        role: i % 2 ? ('assistant' as const) : ('user' as const),
        kind: i % 2 ? ('answer' as const) : ('request' as const),
        createdAt: 1_700_000_000_000 + number * 1e6 + i * 1000,
        text: say(20),
        ...(i % 2 && {
          toolCalls: [{ id: `c${i}`, tool: 'shell', args: { command: say(5) } }],
          model: 'model-x',
          usage: { input: 10 + i, cost: random() },
        }),
      },
    })),
    problems: number % 7 ? [] : [{ offset: 3, reason: 'not JSON' }],
    begins: true,
    completes: true,
  }
}

export async function makeArchive(folder: string, chats = 40): Promise<void> {
  const archive = openSqliteArchive(folder)
  const random = dice(11)
  const lease = (await archive.takeLease('test')) as Lease
  for (let chat = 0; chat < chats; chat += 8)
    await archive.write(
      Array.from({ length: 8 }, (_, i) => readingOf(chat + i, random)),
      lease,
    )
  const missing = await archive.withoutVector(MODEL)
  const texts = await archive.textsOf(missing)
  for (let at = 0; at < texts.length; at += 64)
    await archive.saveVectors(
      MODEL,
      texts
        .slice(at, at + 64)
        .map((of) => ({ of, vector: Array.from({ length: 64 }, () => random() - 0.5) })),
    )
  await archive.markSynced(lease)
  await archive.releaseLease(lease)
  assert.deepEqual(await archive.check({ deep: true }), [])
  await archive.close()
}

/** All that the archive gives, part by part; a part that cannot be read is the error that says so. */
export async function partsOf(archive: Archive, chats = 40): Promise<Map<string, unknown>> {
  const parts = new Map<string, unknown>()
  const note = async (name: string, read: () => Promise<unknown>) => {
    try {
      parts.set(name, JSON.parse(JSON.stringify((await read()) ?? null)))
    } catch (error) {
      parts.set(name, error)
    }
  }
  for (let number = 0; number < chats; number++)
    await note(`chat ${number}`, async () => {
      const chat = await archive.resolveChat(`claude-code:chat-${number}`)
      return [chat, await archive.messages(chat), await archive.outline(chat)]
    })
  await note('list', () => archive.listChats({}, { limit: 100 }))
  for (const word of ['deadlock7', 'pool3', 'seal399', 'about'])
    await note(`search ${word}`, () =>
      archive.searching((view) => {
        const { size, keys } = view.postings('said', word)
        return [...keys.subarray(0, size)].map((key) => [view.message(key), view.text(key)])
      }),
    )
  await note('vectors', () =>
    archive.searching((view) =>
      view.nearest(
        MODEL,
        Array.from({ length: 64 }, (_, i) => Math.sin(i)),
        () => true,
        20,
      ),
    ),
  )
  return parts
}

/** What a person would read of it, without order: an index of SQLite's that is damaged may hide or move an item. */
export function textsIn(part: unknown): string[] {
  const texts: string[] = []
  JSON.stringify(part, (key, value) => {
    if ((key === 'text' || key === 'title') && typeof value === 'string') texts.push(value)
    return value
  })
  return texts.sort()
}
