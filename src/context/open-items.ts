import type { LiveMessage } from '../recall/live.ts'
import { preview } from '../recall/preview.ts'
import { closingQuestion, unmarked } from './decisions.ts'

const MAX_ITEMS = 20
const FINISHED = new Set(['completed', 'complete', 'done', 'cancelled', 'canceled', 'finished'])

/** What is left to do, as far as the chat itself says so. */
export function openItemsIn(
  messages: LiveMessage[],
  commands: { command: string; failed?: string }[],
): string[] {
  const last = messages.findLast((message) => message.kind === 'request' || message.kind === 'answer')
  const answers = messages.filter((message) => message.kind === 'answer' && message.text.trim() !== '')
  const question = last?.kind === 'answer' ? closingQuestion(last.text) : undefined
  const failed = commands.at(-1)?.failed ? commands.at(-1) : undefined
  const items = [
    ...todosIn(messages),
    ...uncheckedIn(answers),
    ...announcedIn(answers.at(-1)?.text ?? ''),
    ...(failed
      ? [`The last command failed: \`${failed.command.replaceAll('`', "'")}\` (${failed.failed})`]
      : []),
    ...(last?.outcome ? [`The last turn was ${last.outcome}.`] : []),
    ...(last?.kind === 'request' ? [`Not answered yet: ${preview(last.text, 200)}`] : []),
    ...(question ? [`Waits for an answer: ${question}`] : []),
  ]
  return [...new Set(items)].slice(0, MAX_ITEMS)
}

/** The last state of the list that the assistant kept with a tool. */
function todosIn(messages: LiveMessage[]): string[] {
  const calls = messages.flatMap((message) => message.toolCalls ?? [])
  for (const { args } of calls.toReversed()) {
    const { todos, todoList, plan } = (args ?? {}) as Record<string, unknown>
    const list = [todos, todoList, plan].find((each) => Array.isArray(each)) as unknown[] | undefined
    if (!list) continue
    return list.flatMap((item) => {
      const { content, title, step, status } = (item ?? {}) as Record<string, unknown>
      const name = [content, title, step].find((each) => typeof each === 'string') as string | undefined
      const isOpen = typeof status === 'string' && !FINISHED.has(status.toLowerCase())
      return name && isOpen ? [`${preview(name, 200)}${status === 'in_progress' ? ' (begun)' : ''}`] : []
    })
  }
  return []
}

/** Boxes of Markdown lists which nobody ticked later. */
function uncheckedIn(answers: LiveMessage[]): string[] {
  const open = new Set<string>()
  for (const { text } of answers) {
    for (const [, tick, item = ''] of text.matchAll(/^\s*[-*+] \[([ xX])\] (.+)$/gm)) {
      if (tick === ' ') open.add(preview(item, 200))
      else open.delete(preview(item, 200))
    }
  }
  return [...open]
}

/** The list below "Next steps" in the last answer. */
function announcedIn(text: string): string[] {
  const lines = text.split('\n')
  const head = lines.findLastIndex((line) => line.length < 80 && HEAD.test(line))
  if (head < 0) return []
  const items: string[] = []
  for (const line of lines.slice(head + 1)) {
    if (/^\s*(?:[-*+]|\d+[.)])\s+(?!\[[xX ]\])/.test(line)) items.push(preview(unmarked(line), 200))
    else if (line.trim() !== '' && !/^\s/.test(line)) break
  }
  return items
}

const HEAD =
  /^(?:#{1,6} |\*\*)?(?:next steps?|still open|open (?:items|questions)|remaining|left to do|to ?do|follow-ups?|не сделано|осталось|дальше|下一步|待办|nächste schritte|offen).{0,30}$/i
