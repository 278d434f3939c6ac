import type { Command } from 'commander'
import { reveal, run } from '../command.ts'

export function addResolve(program: Command): void {
  reveal(program.command('resolve'))
    .description('find chats and messages by id prefix')
    .argument('<prefix>', 'at least 4 characters')
    .option('--limit <n>', 'maximum number of results', '20')
    .action(
      run(async (options, prefix) =>
        (await import('../commands/resolve.ts')).resolve(prefix as string, options),
      ),
    )
}
