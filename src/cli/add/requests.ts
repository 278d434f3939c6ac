import type { Command } from 'commander'
import { reveal, run } from '../command.ts'

export function addRequests(program: Command): void {
  reveal(program.command('requests'))
    .description('list what you asked in a chat, verbatim; default: the current chat here')
    .argument('[chat]')
    .option('--index <n>', 'show the nth request in full')
    .option('--from <n>', 'start at request n')
    .option('--limit <n>', 'maximum number of results', '20')
    .action(
      run(async (options, chat) =>
        (await import('../commands/requests.ts')).requests(chat as string | undefined, options),
      ),
    )
}
