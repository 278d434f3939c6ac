import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { writeClaudeCode } from './corpus/claude-code.ts'
import { writeCopilotCli } from './corpus/copilot-cli.ts'
import { type Dice, dice as seeded } from './corpus/dice.ts'
import { type Needle, needles } from './corpus/needles.ts'
import { type Project, project } from './corpus/project.ts'
import { type Language, type Voice, voice } from './corpus/prose.ts'
import type { Assistant, Round, Script, Turn, Writer } from './corpus/script.ts'
import { sourceCode, toolUse } from './corpus/tools.ts'
import { writeVscode } from './corpus/vscode.ts'

export { type Needle, needles }

export interface Corpus {
  files: number
  bytes: number
  /** Requests, answers and, where the format has records of their own for them, tool results. */
  messages: number
}

/**
 * Fills a new folder with made-up conversations as three assistants would have left them in a home
 * folder over two years. The same seed gives the same bytes. Memory does not grow with `messages`.
 */
export function writeCorpus(
  folder: string,
  { messages, seed = 1 }: { messages: number; seed?: number },
): Corpus {
  // A corpus written into somebody's real home would mix with their own chats.
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
  const dice = seeded(seed)
  const voices: Record<Language, Voice> = {
    en: voice('en', dice),
    ru: voice('ru', dice),
    zh: voice('zh', dice),
  }
  const projects = Array.from({ length: 40 }, (_, number) => project(dice, number))
  const assistants = sharer<Assistant>({ 'claude-code': 60, 'copilot-cli': 20, vscode: 20 })
  const languages = sharer<Language>({ en: 55, ru: 15, zh: 12 })
  const waiting = [...needles]
  const corpus: Corpus = { files: 0, bytes: 0, messages: 0 }

  while (corpus.messages < messages) {
    const done = corpus.messages / messages
    const due = waiting.length > 0 && done >= (needles.length - waiting.length + 0.5) / needles.length
    const needle = due ? waiting.shift() : undefined
    const left = messages - corpus.messages - waiting.length * SHORTEST
    const assistant = needle?.assistant ?? assistants.next()
    const language = needle?.language ?? languages.next()
    const length = chatLength(dice, assistant, left, messages)
    if (length < 1) throw new Error(`${messages} messages are too few for all that a corpus holds`)
    const startedAt = FIRST_DAY + Math.floor((done * 728 + dice.next() * 2) * DAY)
    const script = conversation(dice, assistant, length, voices[language], dice.pick(projects), needle)
    const written = WRITERS[assistant](folder, { ...script, startedAt }, dice)
    assistants.took(assistant, length)
    languages.took(language, length)
    corpus.files += written.files
    corpus.bytes += written.bytes
    corpus.messages += length
  }
  return corpus
}

/**
 * Adds one more request to a Claude Code transcript, as the tool does when somebody types one.
 * `file` is relative to the folder, or absolute.
 */
export function appendMessage(
  folder: string,
  file: string,
  text = `One more question: ${randomUUID()}`,
): string {
  const transcript = path.resolve(folder, file)
  const { uuid, cwd, sessionId, version, gitBranch } = lastRecord(transcript)
  const record = {
    parentUuid: uuid,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: text },
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
    cwd,
    sessionId,
    version,
    gitBranch,
  }
  fs.appendFileSync(transcript, `${JSON.stringify(record)}\n`)
  return text
}

const WRITERS: Record<Assistant, Writer> = {
  'claude-code': writeClaudeCode,
  'copilot-cli': writeCopilotCli,
  vscode: writeVscode,
}
const DAY = 24 * 60 * 60 * 1000
const FIRST_DAY = Date.UTC(2024, 10, 1)
const SHORTEST = 4
const LONGEST = 400
/** VS Code rewrites a log of more than 1,024 lines into one; with seven lines to a request this stays below. */
const LONGEST_VSCODE = 280
const CODE_SHARE = 0.18
const MODELS: Record<Assistant, string[]> = {
  'claude-code': ['claude-sonnet-4-6', 'claude-opus-4-6', 'claude-haiku-4-5'],
  'copilot-cli': ['claude-sonnet-4.6', 'gpt-5.2', 'gpt-5.3-codex'],
  vscode: ['claude-sonnet-4.6', 'gpt-5.2', 'gemini-3-pro'],
}

/** Deals out turns so that each name's share of the messages comes close to its weight, early and late. */
function sharer<Name extends string>(weights: Record<Name, number>) {
  const names = Object.keys(weights) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  return {
    next: () => names.reduce((a, b) => (taken[b] / weights[b] < taken[a] / weights[a] ? b : a)),
    took: (name: Name, messages: number) => {
      taken[name] += messages
    },
  }
}

/** Many short chats, few very long ones; in a small corpus none is so long that it would be most of it. */
function chatLength(dice: Dice, assistant: Assistant, left: number, messages: number): number {
  const longest = Math.min(assistant === 'vscode' ? LONGEST_VSCODE : LONGEST, Math.max(12, messages / 20))
  let length = Math.floor(Math.min(longest, Math.max(SHORTEST, dice.longTail(24, 1.05))))
  if (assistant === 'vscode') length -= length % 2
  return left - length < SHORTEST ? left : length
}

function conversation(
  dice: Dice,
  assistant: Assistant,
  length: number,
  voice: Voice,
  project: Project,
  needle: Needle | undefined,
): Omit<Script, 'startedAt'> {
  const topic = voice.topic()
  const prose = (median: number) => voice.write(dice.longTail(median, 1), topic, project)

  function said(median: number, planted: string | undefined): string {
    if (planted !== undefined) return `${prose(median)} ${planted}`
    if (!dice.chance(CODE_SHARE)) return prose(median)
    return `\`\`\`ts\n${sourceCode(dice, project, dice.longTail(median, 1))}\n\`\`\``
  }

  function round(planted: string | undefined): Round {
    const use = toolUse(dice, project, 310)
    if (planted !== undefined) Object.assign(use, { action: 'run', output: `${use.output}\n${planted}` })
    return {
      use,
      ...(dice.chance(0.1) && { thinking: prose(160) }),
      ...(dice.chance(0.2) && { text: prose(50) }),
    }
  }

  function turn(left: number, first: boolean): Turn {
    const planted = (place: Needle['in']) => (first && needle?.in === place ? needle.text : undefined)
    const request = said(75, planted('request'))
    const rounds: Round[] = []
    if (left === 1) return { request, rounds }
    // In VS Code the tools' work is part of the answer; elsewhere each round is two messages more.
    const room = assistant === 'vscode' ? 3 : Math.floor((left - 2) / 2)
    const inTool = planted('tool')
    if (inTool !== undefined) rounds.push(round(inTool))
    while (rounds.length < room && dice.chance(assistant === 'vscode' ? 0.35 : 0.6))
      rounds.push(round(undefined))
    return { request, rounds, answer: said(180, planted('answer')) }
  }

  const turns: Turn[] = []
  for (let left = length; left > 0; ) {
    const next = turn(left, turns.length === 0)
    turns.push(next)
    left -= next.answer === undefined ? 1 : 2
    if (assistant !== 'vscode') left -= 2 * next.rounds.length
  }
  const id = needle?.chatId ?? dice.uuid()
  return { id, title: voice.title(topic), model: dice.pick(MODELS[assistant]), project, turns }
}

/** The last record that others can follow, read from the end: a transcript may be large. */
function lastRecord(file: string): Record<string, string> {
  const fd = fs.openSync(file, 'r')
  try {
    const { size } = fs.fstatSync(fd)
    for (let length = 65_536; ; length *= 4) {
      const from = Math.max(0, size - length)
      const bytes = Buffer.alloc(size - from)
      fs.readSync(fd, bytes, 0, bytes.length, from)
      const lines = bytes.toString().trimEnd().split('\n')
      if (from > 0) lines.shift()
      for (const line of lines.reverse()) {
        const record = JSON.parse(line)
        if (record.uuid) return record
      }
      if (from === 0) throw new Error(`${file} is not a Claude Code transcript`)
    }
  } finally {
    fs.closeSync(fd)
  }
}

if (import.meta.main) {
  const [folder, messages, seed] = process.argv.slice(2)
  if (!folder || !Number(messages)) {
    console.error('node bench/corpus.ts <folder> <messages> [seed]')
    process.exit(1)
  }
  const before = performance.now()
  const corpus = writeCorpus(folder, { messages: Number(messages), seed: Number(seed ?? 1) })
  const seconds = (performance.now() - before) / 1000
  console.log(
    `${corpus.messages} messages in ${corpus.files} files, ${(corpus.bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s ` +
      `(${Math.round(corpus.bytes / corpus.messages)} bytes a message, ${(corpus.bytes / 1e6 / seconds).toFixed(0)} MB/s)`,
  )
}
