import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addSync(program: Command): void {
  program
    .command('sync')
    .description('read new and changed chats into the archive')
    .option('--watch', 'keep the archive up to date until Ctrl-C')
    .option('--source <id>', 'only this assistant')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/sync.ts')).sync(options)))
}
