import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addEmbed(program: Command): void {
  program
    .command('embed')
    .description('compute embeddings for new messages (docs/configuration.md)')
    .option('--erase', 'delete all embeddings instead')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/embed.ts')).embed(options)))
}
