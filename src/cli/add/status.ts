import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('show what is in the archive, by assistant')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/status.ts')).status(options)))
}
