import type { Command } from 'commander'
import { json, project, run } from '../command.ts'

export function addForget(program: Command): void {
  program
    .command('forget')
    .description('permanently erase chats; later syncs and copies of their files do not bring them back')
    .argument('[chats...]', 'ids of chats')
    .addOption(project('every chat of this project'))
    .option('--before <date>', 'every chat that ended before this date')
    .option('--dry-run', 'show what would be erased, and where else the text is')
    .option('--undo', 'let sync read forgotten chats again')
    .option('--list', 'list forgotten chats')
    .option(
      '--copies <what>',
      'remove forgotten chats from backups and copies of the archive: rewrite or delete',
    )
    .option('-y, --yes', 'skip the confirmation')
    .addOption(json())
    .action(
      run(async (options, chats) =>
        (await import('../commands/forget.ts')).forget(chats as string[], options),
      ),
    )
}
