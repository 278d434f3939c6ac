import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestOf } from './nearest.ts'

const NAMES = ['claude-code', 'Claude Code', 'claude-cowork', 'codex', 'roo-code', 'vscode', 'gemini-cli']

for (const [given, names] of [
  ['cluade', ['claude-code', 'Claude Code', 'claude-cowork']],
  ['cluade-code', ['claude-code', 'Claude Code']],
  ['claud-code', ['claude-code', 'Claude Code']],
  ['claud', ['claude-code', 'Claude Code', 'claude-cowork']],
  ['codx', ['codex']],
  ['vscode', ['vscode']],
  ['gemni', ['gemini-cli']],
  ['zzz', []],
  ['', []],
] as const)
  test(`"${given}" may be ${names.join(', ') || 'nothing that is known'}`, () => {
    assert.deepEqual(nearestOf(given, NAMES), names)
  })
