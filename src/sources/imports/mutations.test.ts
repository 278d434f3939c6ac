import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { mutations } from '../mutations.ts'
import type { Found } from '../source.ts'
import { elementsOf } from './elements.ts'
import { EXPORT_HEADER, exportLines } from './export-lines.ts'
import { imports, recognise } from './index.ts'
import { FIXTURES, readImport, tempFolder } from './test-files.ts'

const COUNT = 2_000
const folder = tempFolder()

function recollectExport(): string {
  const { chats, messages } = readImport(path.join(FIXTURES, 'claude-ai.json'))
  const lines = chats.flatMap((chat) => [...exportLines(chat, messages[chat.id] ?? [])])
  return [EXPORT_HEADER, ...lines, ''].join('\n')
}

const FILES: Record<string, [file: string, name: string][]> = {
  chatgpt: [['chatgpt.json', 'conversations.json']],
  'claude-ai': [['claude-ai.json', 'conversations.json']],
  librechat: [
    ['librechat-tree.json', 'a.json'],
    ['librechat-linear.json', 'a.json'],
  ],
  'open-webui': [['open-webui.json', 'chat-export-1.json']],
  vscode: [['vscode.json', 'chat.json']],
  chatwise: [['../../chatwise/fixtures/chat-0137tidb28.json', 'chat-0137tidb28.json']],
  opencode: [['opencode.json', 'session.json']],
  recollect: [['', 'export.jsonl']],
  grok: [['grok.json', 'prod-grok-backend.json']],
  'microsoft-copilot': [['microsoft-copilot.csv', 'copilot-activity-history.csv']],
  gemini: [
    ['gemini.json', 'MyActivity.json'],
    ['gemini.html', 'MyActivity.html'],
  ],
  specstory: [['specstory.md', '2026-07-13_13-40Z-a.md']],
  cursor: [['cursor.md', 'cursor_a.md']],
  cline: [['cline.md', 'cline_task.md']],
}

describe('no damage to a file stops its reader', () => {
  for (const kind of imports) {
    test(kind.id, () => {
      const file = path.join(folder, kind.id)
      for (const [fixture, name] of FILES[kind.id]!) {
        const whole = fixture ? fs.readFileSync(path.join(FIXTURES, fixture)) : Buffer.from(recollectExport())
        for (const damaged of mutations(whole, COUNT / FILES[kind.id]!.length)) {
          fs.writeFileSync(file, damaged)
          // By whatever kind it is recognised now, and by the one it was.
          const recognised = recognise({ path: file, name })
          if (recognised.kind) check(recognised.found)
          if (recognised.kind !== kind) check(kind.read(elementsOf(file), name))
          if (kind.text) check(kind.text.read(damaged.toString('utf8'), { path: file, name }))
        }
      }
    })
  }
})

function check(found: Iterable<Found>): void {
  for (const item of found) {
    if ('chat' in item) assert.ok(typeof item.chat.id === 'string' && typeof item.chat.source === 'string')
    else if ('message' in item) {
      const { id, text, order } = item.message
      assert.ok(typeof item.chatId === 'string' && typeof id === 'string' && typeof text === 'string')
      assert.ok(!Number.isNaN(order))
    } else assert.ok('problem' in item && typeof item.problem.reason === 'string')
  }
}
