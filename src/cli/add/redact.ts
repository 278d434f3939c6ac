import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addRedact(program: Command): void {
  program
    .command('redact')
    .description('list secrets in the archive by kind and chat, or remove them permanently (--at-rest)')
    .argument('[chats...]', 'chat ids; default: all chats')
    .option('--at-rest', 'rewrite the archive, its index and its backups without them')
    .option('--no-backups', 'leave backups and copies of the archive as they are')
    .option('-y, --yes', 'skip the confirmation')
    .addOption(json())
    .action(
      run(async (options, chats) =>
        (await import('../commands/redact.ts')).redact(chats as string[], options),
      ),
    )
}
