import type { Command } from 'commander'
import { reveal, run } from '../command.ts'

export function addGather(program: Command): void {
  reveal(program.command('gather'))
    .description('print one chat, or merge several in time order and mark what they share')
    .argument('<chats...>')
    .option('--no-tools', 'exclude tool calls and results')
    .option('--role <role...>', 'only messages of this role: user, assistant, tool')
    .option('--from <n>', 'start at message n')
    .option('--to <n>', 'end with message n')
    .option('--max-chars <n>', 'maximum characters')
    .option('--cursor <cursor>', 'cursor from the previous response')
    .option('--no-pager', 'print instead of paging')
    .action(
      run(async (options, chats) =>
        (await import('../commands/gather.ts')).gather(chats as string[], options),
      ),
    )
}
