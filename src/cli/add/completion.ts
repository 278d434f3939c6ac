import type { Command } from 'commander'
import { run } from '../command.ts'

export function addCompletion(program: Command): void {
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
    .action(run(async (_, shell) => (await import('../commands/shell.ts')).completion(shell as string)))
}
