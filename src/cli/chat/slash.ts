import type { Agent } from '../../agent/agent.ts'
import { oneLine, pad } from '../paint.ts'
import { completePath } from './attachments.ts'
import type { Completion } from './prompt.ts'

/** What a dialog at the terminal goes on with. */
export interface Dialog {
  session?: string
  provider?: string
  model?: string
}

interface Slash {
  name: string
  takes?: string
  does: string
}

const COMMANDS: Slash[] = [
  { name: 'new', does: 'start a new chat' },
  { name: 'model', takes: '<provider/model>', does: 'let another model answer; alone: list them' },
  { name: 'tools', does: 'list what the model may use' },
  { name: 'help', does: 'list the commands' },
  { name: 'exit', does: 'quit (also Ctrl-D)' },
]

const KEYS = `
Enter sends, Alt-Enter or \\ and Enter begins a new line, ↑ recalls what you asked.
Esc or Ctrl-C stops an answer. @file attaches a file or an image; Tab completes.`

/** Carries out `/name …`; false where there is no such command. */
export async function slash(
  said: string,
  agent: Agent,
  dialog: Dialog,
  print: (text: string) => void,
): Promise<void> {
  const [name = '', ...rest] = said.slice(1).split(/\s+/)
  if (name === 'new') {
    dialog.session = undefined
    print('A new chat.')
  } else if (name === 'model') await chooseModel(rest.join(' '), agent, dialog, print)
  else if (name === 'tools') {
    for (const tool of await agent.tools()) print(`${tool.approval.padEnd(6)} ${tool.server}/${tool.name}`)
  } else {
    if (name !== 'help') print(`There is no /${oneLine(name)}.`)
    print(help())
  }
}

export async function complete(text: string, at: number, agent: Agent): Promise<Completion> {
  const typed = text.slice(0, at)
  const command = /^\/(\w*)$/.exec(typed)
  if (command) {
    const names = COMMANDS.map(({ name, takes }) => `${name}${takes ? ' ' : ''}`)
    return { from: 1, candidates: names.filter((name) => name.startsWith(command[1]!)) }
  }
  const model = /^\/model (\S*)$/.exec(typed)
  if (model) {
    const names = (await agent.models()).map(({ id, provider }) => `${provider}/${id}`)
    return { from: 7, candidates: names.filter((name) => name.startsWith(model[1]!)) }
  }
  const file = /(?:^|\s)@(\S*)$/.exec(typed)
  return file
    ? { from: at - file[1]!.length, candidates: completePath(file[1]!) }
    : { from: at, candidates: [] }
}

/** The name of a provider chooses whatever it answers with by default. */
async function chooseModel(
  name: string,
  agent: Agent,
  dialog: Dialog,
  print: (text: string) => void,
): Promise<void> {
  if (name === '') {
    const models = await agent.models()
    for (const { id, provider } of models.slice(0, 60)) print(`${provider}/${oneLine(id)}`)
    if (models.length === 0) print('There is no model to ask yet: recollect models set anthropic')
    return
  }
  const isProvider = (await agent.providers()).some(({ id }) => id === name)
  dialog.provider = isProvider ? name : undefined
  dialog.model = isProvider ? undefined : name
  print(`From now on ${oneLine(name)} answers.`)
}

function help(): string {
  return (
    COMMANDS.map(({ name, takes = '', does }) => `${pad(`/${name} ${takes}`, 24)} ${does}`).join('\n') + KEYS
  )
}
