import type { AgentEvent } from '../../agent/agent.ts'
import { besideText } from '../beside.ts'
import { printable } from '../paint.ts'
import type { CitedText } from './cited.ts'
import type { Prompt } from './prompt.ts'

/** Shows what happens above the field; `answers` gets the words of the answer where they go to a file. */
export function showOn(
  prompt: Prompt,
  answers: NodeJS.WriteStream | undefined,
  text: CitedText,
): (event: AgentEvent) => void {
  return (event) => {
    switch (event.type) {
      case 'text':
        prompt.working('answering')
        if (answers) answers.write(printable(event.text))
        else text.add(event.text)
        return
      case 'thinking':
        prompt.working('thinking')
        return
      case 'step':
        if (answers) answers.write('\n')
        else void text.end().then(() => prompt.screen.endLine())
        prompt.working('thinking')
        return
      case 'progress':
        prompt.working(`running ${printable(progressOf(event))}`)
        return
      case 'tool-call':
        prompt.working(`running ${printable(event.tool)}`)
    }
    const beside = besideText(event)
    if (beside) void text.end().then(() => prompt.screen.line(beside))
  }
}

function progressOf({ tool, done, total, message }: Extract<AgentEvent, { type: 'progress' }>): string {
  return [tool, total === undefined ? String(done) : `${done}/${total}`, message].filter(Boolean).join(' ')
}
