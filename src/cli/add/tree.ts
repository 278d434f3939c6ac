import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addTree(program: Command): void {
  program
    .command('tree')
    .description("show a chat's sub-agents, forks and parent")
    .argument('<chat>')
    .addOption(json())
    .action(run(async (options, chat) => (await import('../commands/tree.ts')).tree(chat as string, options)))
}
