import type { Command } from 'commander'
import { run } from '../command.ts'

export function addPick(program: Command): void {
  program
    .command('pick')
    .description('search the commands and requests of your chats as you type, and print the one you choose')
    .argument('[words...]', 'search for these first')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .action(
      run(async (options, words) => (await import('../commands/pick.ts')).pick(words as string[], options)),
    )
}
