import type { Command } from 'commander'
import { filterChats, run } from '../command.ts'

export function addMetrics(program: Command): void {
  filterChats(program.command('metrics'))
    .description('show messages, tokens, cost, latency and tool calls')
    .option(
      '--by <group>',
      'group by day, hour, model, source, workspace, repository, tool, chat or subagent',
    )
    .option('--tool <name>', 'only calls of this tool')
    .option('--limit <n>', 'maximum number of groups')
    .option('--repository <remote>', 'only this git repository: a remote, owner/name, or its name')
    .option('--author <name>', 'only chats of this person; me: your own')
    .option('--machine <name>', 'only chats of this machine; this: the one you are on')
    .action(
      run(async (options, chats) =>
        (await import('../commands/metrics.ts')).metrics(chats as string[], options),
      ),
    )
}
