import type { Command } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** What makes a shell know this command line: completion, a key that finds, and what that key opens. */
export function shellCommands(program: Command, run: Run): void {
  program
    .command('completion')
    .description('print the completion script of a shell: commands, options, ids, names')
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .addHelpText(
      'after',
      `
Examples:
  source <(recollect completion bash)      in ~/.bashrc; the same for zsh in ~/.zshrc
  recollect completion fish > ~/.config/fish/completions/recollect.fish`,
    )
    .action(run(async (_, shell) => (await import('./commands/shell.ts')).completion(shell as string)))

  program
    .command('init')
    .description('print what binds a key of the shell to `recollect pick` (Ctrl-R, or --key alt-r)')
    .argument('<shell>', 'zsh, bash or fish')
    .option(
      '--key <key>',
      'the key: ctrl-r or alt-r, which leaves the history search of the shell as it is',
      'ctrl-r',
    )
    .addHelpText(
      'after',
      `
Examples:
  eval "$(recollect init zsh)"             in ~/.zshrc; the same for bash in ~/.bashrc
  recollect init fish | source             in ~/.config/fish/config.fish

What is chosen is put on the command line to be edited. It is never run.`,
    )
    .action(
      run(async (options, shell) => (await import('./commands/shell.ts')).init(shell as string, options)),
    )

  program
    .command('pick')
    .description('search the commands and requests of your chats as you type, and print the one you choose')
    .argument('[words...]', 'search for these first')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .action(
      run(async (options, words) => (await import('./commands/pick.ts')).pick(words as string[], options)),
    )
}

/** For shells and for the package, not for people: `__complete words…`, `__man`. */
export async function answerShell(cli: Command, [name, ...words]: string[]): Promise<boolean> {
  if (name !== '__complete' && name !== '__man') return false
  const shell = await import('./commands/shell.ts')
  if (name === '__man') shell.printManual(cli)
  else await shell.complete(cli, words).catch(() => {})
  return true
}
