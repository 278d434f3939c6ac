import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addSetup(program: Command): void {
  program
    .command('setup')
    .description("add Recollect's MCP server to the agents on this machine")
    .argument('[clients...]', 'vscode, claude-code, codex, …; default: those found here')
    .option('-y, --yes', 'skip the confirmation')
    .option('--dry-run', 'show what would be written')
    .option('--remove', 'remove it again')
    .option('--print', 'print the settings to paste by hand')
    .option('--project', "use the project's settings instead of your own")
    .option('--tools <sets>', 'tool sets to offer: recall, search, context, export, all')
    .option('--http <url>', 'use a running server (recollect mcp --http) instead of starting one')
    .option('--no-token', 'with --http: the server needs no token')
    .option('--name <name>', "the server's name in the settings", 'recollect')
    .addOption(json())
    .addHelpText(
      'after',
      `
Examples:
  recollect setup                      what is on this machine; asks before it writes
  recollect setup claude-code codex    these two
  recollect setup --remove             undo it

What is written, and what to do by hand: docs/clients.`,
    )
    .action(
      run(async (options, clients) =>
        (await import('../commands/setup.ts')).setup(clients as string[], options),
      ),
    )
}
