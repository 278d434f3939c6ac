import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addStar(program: Command): void {
  program
    .command('star')
    .description('star or unstar chats; the page and VS Code show it too')
    .argument('<chats...>')
    .option('--remove', 'remove the star')
    .addOption(json())
    .action(
      run(async (options, chats) => (await import('../commands/star.ts')).star(chats as string[], options)),
    )
}
