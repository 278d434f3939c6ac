import type { Person, ServerQuestion } from '../agent/tool.ts'
import { fit, oneLine, paint, printable } from './paint.ts'

/** How the person at the terminal is asked. */
export interface Asking {
  say(text: string): void
  /** For one of these letters. */
  choose(question: string, letters: string): Promise<string>
  /** For a line of text. */
  type(question: string): Promise<string>
}

type Field = ServerQuestion['fields'][number]
type Value = string | number | boolean

/** Answers what MCP servers ask while their tools run. Nothing is given without the person's word. */
export function personAt({ say, choose, type }: Asking): Person {
  const { bold, dim } = paint(process.stderr)
  return {
    async fill({ server, message, fields }) {
      say(`\n${bold(`${oneLine(server)} asks:`)} ${printable(message)}`)
      const letter = await choose('[y]es, answer  [n]o  [c]ancel › ', 'ync')
      if (letter !== 'y') return letter === 'n' ? 'decline' : undefined
      const content: Record<string, Value> = {}
      for (const field of fields) {
        const value = await filled(field)
        if (value !== undefined) content[field.name] = value
      }
      return content
    },
    async allowSampling({ server, prompt }) {
      say(`\n${bold(`${oneLine(server)} wants the model to answer:`)}\n${dim(shortened(prompt))}`)
      return (await choose('[y]es  [n]o › ', 'yn')) === 'y'
    },
  }

  async function filled(field: Field): Promise<Value | undefined> {
    for (;;) {
      const said = (await type(questionFor(field))).trim()
      if (said === '' && field.default !== undefined) return field.default
      if (said === '' && !field.required) return undefined
      const value = typedValue(field, said)
      if (value !== undefined) return value
      say(
        dim(
          field.choices
            ? `One of: ${field.choices.map(oneLine).join(', ')}`
            : `It has to be a ${field.type}.`,
        ),
      )
    }
  }
}

function questionFor({ title, description, choices, default: standard, required }: Field): string {
  const about = [
    ...(description ? [oneLine(description)] : []),
    ...(choices ? [choices.map(oneLine).join(', ')] : []),
    ...(standard === undefined ? [] : [`Enter: ${oneLine(String(standard))}`]),
    ...(required || standard !== undefined ? [] : ['may be left out']),
  ]
  const asked = `${oneLine(title)}${about.length > 0 ? ` (${about.join('; ')})` : ''}`
  return `${fit(asked, 70)} › `
}

function typedValue({ type, choices }: Field, said: string): Value | undefined {
  if (said === '') return undefined
  if (choices) return choices.find((each) => each.toLowerCase() === said.toLowerCase())
  if (type === 'string') return said
  if (type === 'boolean') {
    if (/^(?:y|yes|true|1)$/i.test(said)) return true
    return /^(?:n|no|false|0)$/i.test(said) ? false : undefined
  }
  const number = Number(said)
  return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined
}

function shortened(prompt: string): string {
  const lines = printable(prompt).split('\n').slice(0, 20)
  return lines.map((line) => `  ${fit(line, 160)}`).join('\n')
}
