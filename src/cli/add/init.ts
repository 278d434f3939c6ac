import type { Command } from 'commander'
import { run } from '../command.ts'

export function addInit(program: Command): void {
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
      run(async (options, shell) => (await import('../commands/shell.ts')).init(shell as string, options)),
    )
}
