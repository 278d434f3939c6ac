import { type FormContent, type FormField, type FormValue, problemOf } from '../agent/form.ts'
import type { Person } from '../agent/tool.ts'
import { fit, oneLine, paint, printable } from './paint.ts'

/** How the person at the terminal is asked. */
export interface Asking {
  say(text: string): void
  /** For one of these letters. */
  choose(question: string, letters: string): Promise<string>
  /** For a line of text. */
  type(question: string): Promise<string>
}

/** Answers what MCP servers ask while their tools run. Nothing is given without the person's word. */
export function personAt({ say, choose, type }: Asking): Person {
  const { bold, dim } = paint(process.stderr)
  return {
    async fill({ server, message, fields }) {
      say(`\n${bold(`${oneLine(server)} asks:`)} ${printable(message)}`)
      const letter = await choose('[y]es, answer  [n]o  [c]ancel › ', 'ync')
      if (letter !== 'y') return letter === 'n' ? 'decline' : undefined
      const content: FormContent = {}
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

  async function filled(field: FormField): Promise<FormValue | undefined> {
    // A line of its own: the field that is typed in has one line only.
    const about = aboutField(field)
    if (about) say(dim(about))
    for (;;) {
      const said = (await type(`${fit(oneLine(field.title), 60)} › `)).trim()
      if (said === '' && field.default !== undefined) return field.default
      if (said === '' && !field.required) return undefined
      const value = typedValue(field, said)
      const problem = said === '' ? 'is needed' : problemOf(field, value)
      if (problem === undefined) return value
      say(dim(oneLine(`It ${problem}.`)))
    }
  }
}

function aboutField({ description, choices, type, default: standard, required }: FormField): string {
  const titleOf = (value: unknown) => choices?.find((each) => each.value === value)?.title ?? String(value)
  const about = [
    ...(description ? [oneLine(description)] : []),
    ...(choices ? [choices.map((each) => oneLine(each.title)).join(', ')] : []),
    ...(type === 'several' ? ['several with commas'] : []),
    ...(type === 'boolean' ? ['y or n'] : []),
    ...(standard === undefined
      ? []
      : [`Enter: ${oneLine((Array.isArray(standard) ? standard : [standard]).map(titleOf).join(', '))}`]),
    ...(required || standard !== undefined ? [] : ['may be left out']),
  ]
  return fit(about.join('; '), 400)
}

/** As it was meant; what it cannot mean is seen by looking at it. */
function typedValue({ type, choices }: FormField, said: string): FormValue {
  const chosen = (word: string) =>
    choices?.find(({ value, title }) =>
      [value, title].some((each) => each.toLowerCase() === word.toLowerCase()),
    )?.value ?? word
  switch (type) {
    case 'string':
      return chosen(said)
    case 'several':
      return said
        .split(',')
        .map((word) => chosen(word.trim()))
        .filter((word) => word !== '')
    case 'boolean':
      if (/^(?:y|yes|true|1)$/i.test(said)) return true
      return /^(?:n|no|false|0)$/i.test(said) ? false : said
    default:
      return said === '' || !Number.isFinite(Number(said)) ? said : Number(said)
  }
}

function shortened(prompt: string): string {
  const lines = printable(prompt).split('\n').slice(0, 20)
  return lines.map((line) => `  ${fit(line, 160)}`).join('\n')
}
