import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addRepair(program: Command): void {
  program
    .command('repair')
    .description(
      "repair a damaged archive: keep every readable chat, recover the rest from assistants' files and backups",
    )
    .option('--dry-run', 'show what would be recovered and what is lost')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/repair.ts')).repair(options)))
}
