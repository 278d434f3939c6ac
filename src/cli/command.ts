import path from 'node:path'
import { type Command, Option } from 'commander'

/** Adds one command: its name, words and options. Its code is loaded when it is called, so that none pays for the others. */
export type AddCommand = (program: Command) => void

type Action = (options: Record<string, never>, argument: unknown) => Promise<void>

/** What a command does, given its options with those of the program, and its argument. */
export function run(action: Action) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    await action(command.optsWithGlobals() as Record<string, never>, given.length > 2 ? given[0] : undefined)
  }
}

export function json(): Option {
  return new Option('--json', 'print JSON')
}

export function reveal(command: Command): Command {
  return command.option('--reveal', 'show passwords and keys instead of redacting them').addOption(json())
}

/** A project, as a shell names it: a path goes from the folder we are in, a name alone is a folder's anywhere. */
export function project(description: string): Option {
  return new Option('--workspace <path>', description).argParser(fromHere)
}

const FROM_HERE = /^\.{1,2}[\\/]*$|^(?![~\\/]|[a-z][a-z0-9+.-]*:).*[\\/]+[^\\/]/i

function fromHere(given: string): string {
  return FROM_HERE.test(given) ? path.resolve(given) : given
}

/** For commands about chats that are named, searched for, or of some assistant, project or time. */
export function filterChats(command: Command): Command {
  return reveal(command)
    .argument('[chats...]', 'chat ids')
    .option('--query <words>', 'chats matching a search')
    .option('--source <id>', 'only this assistant')
    .addOption(project('only this project: a path or a folder name'))
    .option('--since <when>', 'only since a date (2026-05-01) or an age (7d, 4w)')
    .option('--until <when>', 'only until a date or an age')
}
