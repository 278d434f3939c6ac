import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { searchConversations } from './search.ts'
import { diceOf } from './test-dice.ts'
import { type MadeChat, tell } from './test-kit.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-proposals-'))
let archive: Archive

const { below } = diceOf(5)
const WORDS = ['lock', 'queue', 'index', 'retry', 'token', 'cache']

before(async () => {
  archive = openSqliteArchive(folder)
  const chats = Array.from({ length: 160 }, (_, i): MadeChat => {
    // Old ones and new ones have words of their own, so that for some queries no chat is within the last 90 days.
    const daysAgo = [1, 30, 89, 91, 200, 700][below(6)]!
    const own = WORDS.slice(daysAgo > 90 ? 0 : 2)
    const text = () => Array.from({ length: 3 + below(6) }, () => own[below(own.length)]).join(' ')
    return { id: `c${i}`, daysAgo, messages: Array.from({ length: 1 + below(3) }, () => ({ text: text() })) }
  })
  await tell(archive, chats)
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

test('what is proposed as another search shows a chat that is not shown, and the last 90 days only then', async () => {
  let proposed = 0
  for (let i = 0; i < 60; i++) {
    const intent_query = Array.from({ length: 1 + below(3) }, () => WORDS[below(WORDS.length)]).join(' ')
    const limit_chats = [1, 3, 10][below(3)]!
    const { topChatIds, guidance } = await searchConversations(archive, { intent_query, limit_chats })
    for (const { tool, args } of guidance.nextActions) {
      if (tool !== 'search_conversations') continue
      const next = await searchConversations(archive, args)
      assert.ok(
        next.topChatIds.some((id) => !topChatIds.includes(id)),
        `${intent_query}, ${limit_chats}: ${JSON.stringify(args)}`,
      )
      if (args.time_window === '90d') proposed++
    }
  }
  assert.ok(proposed > 10, String(proposed))
})
