import type { Command, Option } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** `recollect setup`: tells the agents on this machine of Recollect. */
export function setupCommand(program: Command, run: Run, json: () => Option): void {
  program
    .command('setup')
    .description('give the agents on this machine your past chats: add Recollect to their settings')
    .argument('[clients...]', 'vscode, claude-code, codex …; without any: those found here')
    .option('-y, --yes', 'write without asking')
    .option('--dry-run', 'only show what would be written')
    .option('--remove', 'take it out again')
    .option('--print', 'print what belongs into the settings, to paste it by hand')
    .option('--project', "the project's settings instead of your own")
    .option('--tools <sets>', 'which tools: recall, search, context, export, all')
    .option('--http <url>', 'a server that runs already (recollect mcp --http) instead of starting one')
    .option('--no-token', 'with --http: the server asks for no token')
    .option('--name <name>', 'what the server is called there', 'recollect')
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
        (await import('./commands/setup.ts')).setup(clients as string[], options),
      ),
    )
}
