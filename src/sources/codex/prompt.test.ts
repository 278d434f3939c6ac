import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptOf } from './prompt.ts'

/** What a person asks about the blocks that Codex writes. */
const ABOUT = [
  '# AGENTS.md instructions: where do they go?',
  '<skill> how do I write one?',
  '<environment_context> in my log: what writes it?',
  '<turn_aborted> in my log: what writes it?',
  '<user_shell_command> is a tag that I want to read',
]

test('a prompt that only begins like a block of Codex is a request', () => {
  for (const text of ABOUT) assert.deepEqual(promptOf(text), { kind: 'request', text, attachments: [] })
  assert.equal(promptOf('<skill>\n<name>a</name>\n</skill>').kind, 'injected')
  assert.equal(promptOf('<turn_aborted>\nx\n</turn_aborted>').kind, 'notice')
})
