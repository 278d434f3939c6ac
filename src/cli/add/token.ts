import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addToken(program: Command): void {
  program
    .command('token')
    .description('manage HTTP access tokens')
    .argument('<action...>', 'create <name>, list, or revoke <name or id>')
    .option('--days <n>', 'create: days until it expires')
    .option(
      '--scope <scopes...>',
      'create: what it allows: read, context, export, ask, approve (default: read, ask)',
    )
    .option(
      '--space <names...>',
      'create: for a person who may read what came through these spaces of the hub',
    )
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('../commands/token.ts')).token(action as string[], options),
      ),
    )
}
