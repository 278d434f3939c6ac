import fs from 'node:fs'
import path from 'node:path'
import type { Dice } from './dice.ts'
import type { Project } from './project.ts'
import type { ToolUse } from './tools.ts'

export type Assistant = 'claude-code' | 'copilot-cli' | 'vscode'

/** A conversation before it is written down in some assistant's format. */
export interface Script {
  id: string
  title: string
  model: string
  startedAt: number
  project: Project
  turns: Turn[]
}

export interface Turn {
  request: string
  rounds: Round[]
  /** Missing when the conversation stops before it. */
  answer?: string
}

export interface Round {
  thinking?: string
  text?: string
  use: ToolUse
}

export interface Written {
  files: number
  bytes: number
}

/** Writes a script below a home folder, where and as an assistant would. */
export type Writer = (home: string, script: Script, dice: Dice) => Written

/** Time passes from record to record; the last one is the file's date. */
export function clock(startedAt: number, dice: Dice) {
  let now = startedAt
  return {
    now: () => now,
    pass: (seconds: number) => {
      now += 1 + dice.int(seconds * 2000)
      return now
    },
  }
}

export function jsonl(records: object[]): string {
  let text = ''
  for (const record of records) text += `${JSON.stringify(record)}\n`
  return text
}

export function write(home: string, file: string, text: string, changedAt: number): number {
  const absolute = path.join(home, file)
  fs.mkdirSync(path.dirname(absolute), { recursive: true })
  const fd = fs.openSync(absolute, 'w')
  try {
    const bytes = Buffer.from(text)
    fs.writeFileSync(fd, bytes)
    fs.futimesSync(fd, changedAt / 1000, changedAt / 1000)
    return bytes.length
  } finally {
    fs.closeSync(fd)
  }
}
