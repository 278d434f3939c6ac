import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addShow(program: Command): void {
  program
    .command('show')
    .description('read a chat, by id, id prefix, source:id or file path')
    .argument('<chat>')
    .option('--from <n>', 'start at message n')
    .option('--to <n>', 'end with message n')
    .option('--tools', 'include tool calls and results')
    .option('--thinking', "include the assistant's thinking")
    .option('--no-pager', 'print instead of paging')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .addOption(json())
    .action(run(async (options, chat) => (await import('../commands/show.ts')).show(chat as string, options)))
}
