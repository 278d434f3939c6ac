import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, machineAt } from '../test-kit.ts'
import { claudeCode as described } from './index.ts'

const claudeCode = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const HOME = path.resolve('/home/me')
const machine = machineAt(HOME, { CLAUDE_CONFIG_DIR: FIXTURES })
describe('Where Claude Code keeps its chats', () => {
  const HOME_PROJECTS = path.join(HOME, '.claude', 'projects')
  const CONFIG_PROJECTS = path.join(HOME, '.config', 'claude', 'projects')
  const ROOTS: [platform: NodeJS.Platform, env: Record<string, string>, roots: string[]][] = [
    ['linux', {}, [HOME_PROJECTS, CONFIG_PROJECTS]],
    ['darwin', {}, [HOME_PROJECTS, CONFIG_PROJECTS]],
    [
      'win32',
      { APPDATA: 'C:\\x' },
      [HOME_PROJECTS, CONFIG_PROJECTS].map((folder) => path.win32.join(folder)),
    ],
    ['linux', { CLAUDE_CONFIG_DIR: '' }, [HOME_PROJECTS, CONFIG_PROJECTS]],
    [
      'linux',
      { CLAUDE_CONFIG_DIR: '/a, ~/b,/a' },
      [path.resolve('/a/projects'), path.join(HOME, 'b', 'projects'), HOME_PROJECTS, CONFIG_PROJECTS],
    ],
    ['linux', { CLAUDE_CONFIG_DIR: path.join(HOME, '.claude') }, [HOME_PROJECTS, CONFIG_PROJECTS]],
    [
      'linux',
      { XDG_CONFIG_HOME: '/xdg' },
      [HOME_PROJECTS, CONFIG_PROJECTS, path.resolve('/xdg/claude/projects')],
    ],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, [HOME_PROJECTS, CONFIG_PROJECTS]],
  ]
  for (const [platform, env, roots] of ROOTS) {
    test(`${platform} ${JSON.stringify(env)}`, () => {
      const found = claudeCode
        .roots({ platform, home: HOME, env })
        .filter(({ label }) => !label)
        .map((root) => root.path)
      assert.deepEqual(found, roots)
    })
  }

  const root = { path: path.join(HOME, 'projects') }
  const UNITS: [file: string, unit: string | undefined][] = [
    ['-p/s.jsonl', '-p/s.jsonl'],
    ['-p/agent-1.jsonl', '-p/agent-1.jsonl'],
    ['-p/s/subagents/agent-1.jsonl', '-p/s/subagents/agent-1.jsonl'],
    ['-p/s/subagents/agent-1.meta.json', '-p/s/subagents/agent-1.jsonl'],
    ['-p/s/subagents/workflows/w/agent-1.meta.json', '-p/s/subagents/workflows/w/agent-1.jsonl'],
    ['-p/s/subagents/workflows/w/journal.jsonl', undefined],
    ['-p/s/tool-results/x.jsonl', undefined],
    ['-p/memory/x.jsonl', undefined],
    ['-p/.s.jsonl', undefined],
    ['-p/s.json', undefined],
    ['-p/agent-1.txt', undefined],
    ['s.jsonl', undefined],
    ['', undefined],
  ]
  for (const [file, expected] of UNITS) {
    test(`${file || '(nothing)'} belongs to ${expected}`, () => {
      const found = claudeCode.unit(file, root)?.path
      assert.equal(found, expected && path.join(root.path, expected))
    })
  }

  test('enters project, session and sub-agent folders only', () => {
    const entered = (folder: string) => claudeCode.enters(folder, root)
    for (const folder of ['-p', '-p/s', '-p/s/subagents', '-p/s/subagents/workflows/w']) {
      assert.ok(entered(folder), folder)
    }
    for (const folder of ['-p/memory', '-p/s/tool-results', '-p/s/other', '-p/s/subagents/a/b/c/d/e/f/g']) {
      assert.ok(!entered(folder), folder)
    }
  })
})

describe('Other people’s transcripts', () => {
  const samples = path.join(import.meta.dirname, '../../../../shared/samples/public/claude-code/public-2025')
  const skip = !fs.existsSync(samples)
  const EXPECTED: [file: string, requests: number, calls: number, problems: number, messages: number][] = [
    ['representative_messages.jsonl', 4, 2, 0, 11],
    ['edge_cases.jsonl', 3, 3, 3, 11],
  ]
  for (const [file, requests, calls, problems, messages] of EXPECTED) {
    test(`${file} of 2025`, { skip }, () => {
      const unit = { path: path.join(samples, file), growth: 'append' as const }
      const reading = gather(claudeCode.read(unit, undefined, machine))
      const told = Object.values(reading.messages).flat()
      assert.equal(told.filter(({ kind }) => kind === 'request').length, requests)
      assert.equal(told.flatMap(({ toolCalls }) => toolCalls ?? []).length, calls)
      assert.equal(reading.problems.length, problems)
      assert.equal(told.length, messages)
      assert.ok(reading.chats[0]?.title)
    })
  }
})
