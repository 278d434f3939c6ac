import type { Command, CommanderError } from 'commander'
import { RecollectError } from '../model/errors.ts'
import { nearestOf } from '../model/nearest.ts'

/** What other programs call it. The nearest by letters would be another: `get` is near `forget`. */
const CALLED: Record<string, string> = {
  get: 'show',
  read: 'show',
  open: 'show',
  view: 'show',
  cat: 'show',
  find: 'search',
  grep: 'search',
  query: 'search',
  ls: 'list',
  chats: 'list',
  history: 'list',
  rm: 'forget',
  remove: 'forget',
  delete: 'forget',
  undo: 'forget --undo',
  stats: 'metrics',
  usage: 'metrics',
  info: 'status',
  scan: 'sync',
  update: 'sync',
  index: 'sync',
  ui: 'serve',
  web: 'serve',
  install: 'setup',
  config: 'paths',
  request: 'requests',
  check: 'doctor',
}

/** A command line that cannot be understood: what of it, and which command's help tells more. */
export function wrongUse({ message, code }: CommanderError, given: string[], cli: Command): RecollectError {
  const [said = '', near = ''] = message.replace(/^error: /, '').split('\n')
  const path = commandsIn(given, cli)
  const unknown = code === 'commander.unknownCommand' ? (/'(.*)'/.exec(said)?.[1] ?? '') : ''
  const siblings = path.at(-1)!.commands.map((each) => each.name())
  const named = path.length === 1 ? CALLED[unknown] : undefined
  const meant = [named, ...(near ? [] : nearestOf(unknown, siblings, 1))].find(Boolean)
  const question = meant ? `Did you mean ${meant}?` : near.replace(/^\((.*)\)$/, '$1')
  const help = `See \`${path.map((each) => each.name()).join(' ')} --help\`.`
  return new RecollectError('INVALID_ARGUMENT', said, question ? `${question} ${help}` : help)
}

/** From the whole to the part that was named: `recollect`, `hub`, `share`. */
function commandsIn(given: string[], cli: Command): Command[] {
  const path = [cli]
  for (const word of given.filter((each) => !each.startsWith('-'))) {
    const next = path.at(-1)!.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (!next) break
    path.push(next)
  }
  return path
}
