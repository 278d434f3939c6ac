import type { LiveChat } from '../live.ts'
import type { Format } from './format.ts'
import { type Step, stepsOf, toolsIn, turnsOf } from './turns.ts'

/** One example for each chat, or for each request. */
export type Examples = 'chat' | 'turn'

/** Lines for OpenAI's supervised fine-tuning: `messages`, and `tools` where some were called. */
export function finetuneOpenai(examples: Examples): Format {
  return {
    extension: 'jsonl',
    begin: '',
    chat: (live) => lines(live, examples, openaiExample),
    end: '',
  }
}

/** The same in the shape of Anthropic's Messages API, which its fine-tuning takes. */
export function finetuneAnthropic(examples: Examples): Format {
  return {
    extension: 'jsonl',
    begin: '',
    chat: (live) => lines(live, examples, anthropicExample),
    end: '',
  }
}

function* lines(
  { messages }: LiveChat,
  examples: Examples,
  example: (steps: Step[]) => object,
): Generator<string> {
  for (const part of examples === 'turn' ? turnsOf(messages) : [messages]) {
    const steps = stepsOf(part)
    if (steps.length > 0) yield `${JSON.stringify(example(steps))}\n`
  }
}

function openaiExample(steps: Step[]): object {
  let calls = 0
  const messages = steps.flatMap((step): object[] => {
    if (step.role === 'user') return [{ role: 'user', content: step.text }]
    if (step.calls.length === 0) return [{ role: 'assistant', content: step.text }]
    const numbered = step.calls.map((call) => ({ ...call, id: `call_${++calls}` }))
    return [
      {
        role: 'assistant',
        ...(step.text && { content: step.text }),
        tool_calls: numbered.map(({ id, name, args }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        })),
      },
      ...numbered.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
    ]
  })
  const tools = toolsIn(steps).map((each) => ({ type: 'function', function: each }))
  return { messages, ...(tools.length > 0 && { tools }) }
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: object }
  | { type: 'tool_result'; tool_use_id: string; content: string; is_error?: true }

/** Roles alternate: what one side says in several messages is put together. */
function anthropicExample(steps: Step[]): object {
  const turns: { role: 'user' | 'assistant'; content: Block[] }[] = []
  const say = (role: 'user' | 'assistant', ...blocks: Block[]) => {
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else turns.push({ role, content: blocks })
  }
  let calls = 0
  for (const step of steps) {
    if (step.role === 'user') say('user', { type: 'text', text: step.text })
    else {
      const numbered = step.calls.map((call) => ({ ...call, id: `toolu_${++calls}` }))
      if (step.text) say('assistant', { type: 'text', text: step.text })
      for (const { id, name, args } of numbered) say('assistant', { type: 'tool_use', id, name, input: args })
      for (const { id, result, failed } of numbered)
        say('user', {
          type: 'tool_result',
          tool_use_id: id,
          content: result,
          ...(failed && { is_error: true }),
        })
    }
  }
  const tools = toolsIn(steps).map(({ name, parameters }) => ({ name, input_schema: parameters }))
  return {
    messages: turns.map(({ role, content }) => {
      const [only] = content
      return { role, content: content.length === 1 && only?.type === 'text' ? only.text : content }
    }),
    ...(tools.length > 0 && { tools }),
  }
}
