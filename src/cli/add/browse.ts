import type { Command } from 'commander'
import { run } from '../command.ts'

export function addBrowse(program: Command): void {
  program
    .command('browse')
    .description('search and read in a full-screen terminal browser (same as `recollect` alone)')
    .argument('[words...]', 'search for these first')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .option('--exclude <words...>', 'exclude chats that contain these words; also typed as -word')
    .option('--no-sync', 'do not sync in the background')
    .action(
      run(async (options, words) =>
        (await import('../commands/browse.ts')).browse(words as string[], options),
      ),
    )
}
