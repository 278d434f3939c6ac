/**
 * The search capability as a command for a retrieval-quality evaluator.
 *
 *   node bench/quality/engine.ts [--fuzzy] [--expand] CHATS.jsonl
 *
 * Reads the chats ({id, title, createdAt, messages: [{id, role, createdAt, text}]} a line) into a new
 * archive, prints {"ready":true}, then answers each query line ({id, text, limit}) on stdin with
 * {id, chatIds, messageIds, confidence} on stdout.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { searchConversations } from '../../src/search/search.ts'
import { archiveOf } from './archive-of.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fuzzy: { type: 'boolean' }, expand: { type: 'boolean' } },
})
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-quality-'))
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }))
const archive = await archiveOf(folder, positionals[0]!)
console.log(JSON.stringify({ ready: true }))

for await (const line of createInterface({ input: process.stdin })) {
  const { id, text, limit } = JSON.parse(line) as { id: string; text: string; limit: number }
  console.log(JSON.stringify({ id, ...(await answer(text, limit)) }))
}
await archive.close()

async function answer(text: string, limit: number) {
  try {
    const { results, topChatIds, confidence } = await searchConversations(archive, {
      intent_query: text,
      limit_chats: limit,
      limit_snippets_per_chat: 25,
      precision_mode: values.fuzzy ? 'fuzzy' : 'basic',
      expand: values.expand ? 'auto' : 'off',
    })
    const snippets = results.flatMap((result) => result.snippets).filter(({ messageId }) => messageId !== '')
    snippets.sort((a, b) => b.relevance - a.relevance)
    return {
      chatIds: topChatIds,
      messageIds: snippets.map(({ messageId }) => messageId).slice(0, limit),
      confidence,
    }
  } catch {
    return { chatIds: [], messageIds: [], confidence: 0 }
  }
}
