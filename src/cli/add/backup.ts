import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('back up the archive incrementally, and verify the copy')
    .argument('[folder]', 'target folder; default: `backups` beside the archive, keeping the last three')
    .addOption(json())
    .action(
      run(async (options, folder) =>
        (await import('../commands/backup.ts')).backup(folder as string | undefined, options),
      ),
    )
}
