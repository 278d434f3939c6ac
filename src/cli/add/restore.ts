import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('restore a backup; the current archive is set aside, not erased')
    .argument('[backup]', 'name, file, or folder of backups; default: the newest')
    .option('--list', 'list the backups')
    .addOption(json())
    .action(
      run(async (options, which) =>
        (await import('../commands/restore.ts')).restoreBackup(which as string | undefined, options),
      ),
    )
}
