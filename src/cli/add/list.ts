import type { Command } from 'commander'
import { json, run } from '../command.ts'
import { narrowingOptions } from './narrowing-options.ts'

export function addList(program: Command): void {
  narrowingOptions(program.command('list').description('list chats, newest first'))
    .option('--starred', 'only starred chats')
    .option('--title <words>', 'only chats whose title contains this')
    .option('--subagents', "include sub-agents' chats")
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--offset <n>', 'skip the first n', '0')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/list.ts')).list(options)))
}
