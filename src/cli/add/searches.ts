import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addSearches(program: Command): void {
  program
    .command('searches')
    .description('list saved searches')
    .option('--remove <name>', 'remove one')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/searches.ts')).searches(options)))
}
