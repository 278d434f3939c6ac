import type { Argument, Command, Option } from 'commander'
import { type Kind, kindOfArgument, kindOfOption } from './kinds.ts'

/** What may be typed at a place, and what it is. */
export interface Candidate {
  value: string
  about?: string
}

/** Asked for what only the archive knows, as ids of chats that begin so. */
export type Lookup = (kind: Exclude<Kind, readonly string[]>, begun: string) => Promise<Candidate[]>

/** What may stand for the last word, or that the shell knows it better: names of files or folders. */
export type Completion = Candidate[] | 'files' | 'folders'

/** Completes the last of the words that were typed after the name of the program. */
export async function completed(cli: Command, words: string[], lookup: Lookup): Promise<Completion> {
  // Bash parts words at `=`.
  const given = words.filter((word, at) => word !== '=' || !words[at - 1]?.startsWith('--'))
  const last = words.at(-1) === '=' ? '' : (given.at(-1) ?? '')
  const place = placeOf(cli, words.at(-1) === '=' ? given : given.slice(0, -1))
  const [flag, value] = place.isOver || !last.startsWith('--') ? [] : parted(last)
  if (flag !== undefined && value !== undefined) {
    const option = optionOf(place.command, flag)
    const found = option ? await valuesOf(kindOfOption(place.command, option), value, lookup) : []
    return typeof found === 'string'
      ? found
      : found.map((each) => ({ ...each, value: `${flag}=${each.value}` }))
  }
  if (place.open && (!last.startsWith('-') || place.open.required)) {
    const found = await valuesOf(kindOfOption(place.command, place.open), last, lookup)
    // What may take a value may also go without: then an argument comes next.
    if (place.open.required || found.length > 0) return found
  }
  if (last.startsWith('-') && !place.isOver) return flags(place, last)
  const commands = place.arguments === 0 ? subcommands(place.command, last) : []
  if (commands.length > 0) return commands
  if (place.command.name() === 'help') return subcommands(cli, last).filter(({ value }) => value !== 'help')
  const argument = argumentAt(place.command, place.arguments)
  return argument ? await valuesOf(kindOfArgument(place.command, argument, place.first), last, lookup) : []
}

interface Place {
  command: Command
  /** How many arguments of the command there are already, and the first of them. */
  arguments: number
  first?: string
  /** Whose value comes next. */
  open?: Option
  /** After `--` there are no options. */
  isOver: boolean
  used: Set<string>
}

function placeOf(cli: Command, words: string[]): Place {
  const place: Place = { command: cli, arguments: 0, isOver: false, used: new Set() }
  for (const word of words) {
    const { open } = place
    if (!place.isOver && word === '--') {
      place.isOver = true
      place.open = undefined
    } else if (!place.isOver && word.startsWith('-') && word !== '-') {
      const [flag, value] = parted(word)
      const option = optionOf(place.command, flag)
      place.used.add(option?.long ?? flag)
      place.open = option && value === undefined && takesValue(option) ? option : undefined
    } else if (open) place.open = open.variadic ? open : undefined
    else {
      const sub = place.arguments === 0 ? named(place.command, word) : undefined
      if (sub) place.command = sub
      else {
        place.arguments++
        place.first ??= word
      }
    }
  }
  return place
}

function parted(word: string): [flag: string, value: string | undefined] {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

/** An option of the command, or of the whole program. */
function optionOf(command: Command | null, flag: string): Option | undefined {
  if (!command) return undefined
  return (
    command.options.find(({ long, short }) => flag === long || flag === short) ??
    optionOf(command.parent, flag)
  )
}

function flags({ command, used }: Place, begun: string): Candidate[] {
  const help = command.createHelp()
  const own = help.visibleOptions(command)
  const whole = command.parent ? help.visibleOptions(command.parent) : []
  const shown = whole.filter(({ long }) => long === '--sample')
  return [...own, ...shown]
    .filter(({ long, variadic }) => long && (variadic || !used.has(long)))
    .map(({ long, description }) => ({ value: long!, about: description }))
    .filter(({ value }) => value.startsWith(begun))
}

function visible(command: Command): Command[] {
  return command.createHelp().visibleCommands(command)
}

function named(command: Command, name: string): Command | undefined {
  return visible(command).find((each) => each.name() === name)
}

function subcommands(command: Command, begun: string): Candidate[] {
  return visible(command)
    .map((each) => ({ value: each.name(), about: each.description() }))
    .filter(({ value }) => value.startsWith(begun))
}

function argumentAt(command: Command, at: number): Argument | undefined {
  const known = command.registeredArguments
  const last = known.at(-1)
  return known[at] ?? (last?.variadic ? last : undefined)
}

async function valuesOf(kind: Kind | undefined, begun: string, lookup: Lookup): Promise<Completion> {
  if (kind === undefined) return []
  if (kind === 'files' || kind === 'folders') return kind
  const found = typeof kind === 'string' ? await lookup(kind, begun) : kind.map((value) => ({ value }))
  return found.filter(({ value }) => value.startsWith(begun))
}
