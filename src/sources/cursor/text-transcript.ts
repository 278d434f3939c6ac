import fs from 'node:fs'
import type { Message, ToolCall, ToolResult } from '../../model/chat.ts'

/** Of a longer file only this much is read. */
const LONGEST = 32 * 1024 * 1024

/** One turn of a `.txt` transcript: what was said, thought and done in it. */
export interface TextTurn {
  offset: number
  role: 'user' | 'assistant'
  text: string
  thinking?: string
  toolCalls: ToolCall[]
  toolResults: ToolResult[]
}

/**
 * The transcripts that agents left as plain text until early 2026: `user:` and `assistant:` on lines of
 * their own, then words, `[Thinking] …`, `[Tool call] Name` with indented arguments, and
 * `[Tool result] Name` with what came back.
 */
export function textTurns(file: string): TextTurn[] {
  const bytes = fs.readFileSync(file)
  const turns: Turn[] = []
  let turn: Turn | undefined
  let offset = 0
  for (const line of bytes.toString('utf8', 0, Math.min(bytes.length, LONGEST)).split('\n')) {
    const role = /^(user|assistant|A):\s*$/.exec(line)?.[1]
    // Inside of what the person typed such a line is theirs.
    if (role && !turn?.isQuoting) {
      turn = new Turn(role === 'user' ? 'user' : 'assistant', offset)
      turns.push(turn)
    } else turn?.take(line)
    offset += Buffer.byteLength(line) + 1
  }
  return turns.map((each) => each.told())
}

/** A call and its result have no id but their place. */
class Turn {
  readonly role: TextTurn['role']
  readonly offset: number
  readonly said: string[] = []
  readonly thought: string[] = []
  readonly calls: { tool: string; lines: string[] }[] = []
  readonly results: { tool: string; lines: string[] }[] = []
  into: string[]
  isQuoting = false

  constructor(role: TextTurn['role'], offset: number) {
    this.role = role
    this.offset = offset
    this.into = this.said
  }

  take(line: string): void {
    if (this.role === 'user' && /<\/?user_query>/.test(line))
      this.isQuoting = line.lastIndexOf('<user_query>') > line.lastIndexOf('</user_query>')
    const mark = this.role === 'assistant' ? /^\[(Thinking|Tool call|Tool result)\] ?(.*)$/.exec(line) : null
    if (mark?.[1] === 'Thinking') {
      this.into = this.thought
      this.into.push(mark[2]!)
    } else if (mark) {
      const step = { tool: mark[2]!.trim() || 'unknown', lines: [] as string[] }
      const steps = mark[1] === 'Tool call' ? this.calls : this.results
      steps.push(step)
      this.into = step.lines
    } else if (line.trim() === '' && this.into !== this.said && this.role === 'assistant') {
      // An empty line ends a thought and the arguments of a call; a result goes on to the next mark.
      if (!this.results.some(({ lines }) => lines === this.into)) this.into = this.said
      else this.into.push('')
    } else this.into.push(line)
  }

  told(): TextTurn {
    const open: ToolCall[] = []
    const toolCalls = this.calls.map(({ tool, lines }, place): ToolCall => {
      const call = { id: `${this.offset}.${place}`, tool, args: argumentsIn(lines) }
      open.push(call)
      return call
    })
    const toolResults = this.results.map(({ tool, lines }, place): ToolResult => {
      const at = Math.max(
        0,
        open.findIndex((call) => call.tool === tool),
      )
      const [call] = open.splice(at, 1)
      return { callId: call?.id ?? `${this.offset}.r${place}`, text: lines.join('\n').trim() }
    })
    return {
      offset: this.offset,
      role: this.role,
      text: this.said.join('\n').trim(),
      thinking: this.thought.join('\n').trim() || undefined,
      toolCalls,
      toolResults: toolResults.filter(({ text }) => text !== ''),
    }
  }
}

/** `  name: value`, the value on the lines that follow where it is long. */
function argumentsIn(lines: string[]): ToolCall['args'] {
  const args: Record<string, string> = Object.create(null)
  let name: string | undefined
  for (const line of lines) {
    const named = /^ {1,4}([A-Za-z_]\w{0,60}): ?(.*)$/.exec(line)
    if (named) {
      name = named[1]!
      args[name] = named[2]!
    } else if (name) args[name] += `\n${line}`
  }
  return name ? { ...args } : undefined
}

/** The messages of a turn. */
export function asMessage({ offset, role, text, thinking, toolCalls, toolResults }: TextTurn): Message {
  return {
    id: String(offset),
    order: offset,
    role,
    kind: 'answer',
    text,
    ...(thinking && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(toolResults.length > 0 && { toolResults }),
  }
}
