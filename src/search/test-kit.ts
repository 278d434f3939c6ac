import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Archive, Lease } from '../archive/archive.ts'
import type { Message } from '../model/chat.ts'

export interface Asked {
  path: string
  authorization: string | undefined
  body: { model: string; input: string[]; dimensions?: number }
}

export interface FakeEndpoint {
  /** Of OpenAI's and of Ollama's kind. */
  openai: string
  ollama: string
  asked: Asked[]
  /** What the next requests get instead of vectors: a status, or silence. */
  trouble: (number | 'silence')[]
  /** Texts longer than this are refused. */
  longest: number
  close(): Promise<void>
}

/** Words that mean the same get the same direction; all others one of their own. */
const MEANINGS = [
  ['deadlock', 'deadlocks', 'freeze', 'freezes', 'hangs', 'stuck', 'stalls'],
  ['postgres', 'database', 'db', 'sql', 'persistence'],
  ['order', 'orders', 'checkout', 'purchase', 'purchases'],
  ['invoice', 'invoices', 'bill', 'bills', 'billing'],
]
const DIMENSIONS = 64

/** An embeddings server on this machine that speaks as OpenAI's (`/v1/embeddings`) and Ollama's (`/api/embed`) do. */
export async function fakeEndpoint(): Promise<FakeEndpoint> {
  const asked: Asked[] = []
  const trouble: FakeEndpoint['trouble'] = []
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as Asked['body']
    asked.push({ path: request.url!, authorization: request.headers.authorization, body })
    const ollama = request.url === '/api/embed'
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    }
    const refuse = (status: number, message: string) =>
      answer(status, ollama ? { error: message } : { error: { message, type: 'error', code: null } })
    const next = trouble.shift()
    if (next === 'silence') return
    if (next !== undefined) return refuse(next, 'try another time')
    if (body.model === 'unknown') return refuse(404, 'model "unknown" not found, try pulling it first')
    if (body.input.some((each) => each.length > endpoint.longest)) return refuse(400, 'input is too long')
    const vectors = body.input.map((each) => vectorOf(each, body.dimensions))
    if (ollama) answer(200, { model: body.model, embeddings: vectors, total_duration: 1, load_duration: 1 })
    else {
      const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
      answer(200, { object: 'list', data: data.reverse(), model: body.model, usage: { prompt_tokens: 1 } })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const endpoint: FakeEndpoint = {
    openai: `${origin}/v1/embeddings`,
    ollama: `${origin}/api/embed`,
    asked,
    trouble,
    longest: Number.POSITIVE_INFINITY,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return endpoint
}

export function vectorOf(text: string, dimensions = DIMENSIONS): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}{4,}|db/gu) ?? []) {
    const meaning = MEANINGS.find((words) => words.includes(word))?.[0] ?? word
    let seed = 2_166_136_261
    for (const letter of meaning) seed = Math.imul(seed ^ letter.codePointAt(0)!, 16_777_619)
    for (let i = 0; i < dimensions; i++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
      vector[i]! += (seed / 2 ** 31) * (meaning === word ? 1 : 2)
    }
  }
  return vector
}

export interface MadeChat {
  id: string
  source?: string
  workspace?: string
  daysAgo?: number
  title?: string
  /** Of which chat it is a sub-agent. */
  parentId?: string
  messages: (Partial<Message> & { text: string })[]
}

/** Puts chats into an archive as a sync would. */
export async function tell(archive: Archive, chats: MadeChat[], generation = 1): Promise<void> {
  const lease = (await archive.takeLease('test')) as Lease
  for (const { id, source = 'claude-code', workspace, title, parentId, daysAgo = 0, messages } of chats) {
    await archive.write(
      [
        {
          source,
          path: `/files/${id}`,
          rank: 0,
          fingerprint: { stamp: `${id}-${generation}`, inode: 1, size: 1, mtime: 1, head: '', tail: '' },
          generation,
          chats: [{ source, id, title, workspace, ...(parentId && { parentId, subagent: true }) }],
          messages: messages.map((message, order) => ({
            chatId: id,
            message: {
              id: `${id}-${order}`,
              order,
              role: 'user',
              kind: 'request',
              createdAt: Date.now() - daysAgo * 86_400_000 + order * 1000,
              ...message,
            },
          })),
          problems: [],
          begins: true,
          completes: false,
        },
      ],
      lease,
    )
  }
  await archive.markSynced(lease)
  await archive.releaseLease(lease)
}
