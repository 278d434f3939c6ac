import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addList(program: Command): void {
  program
    .command('list')
    .description('list chats, newest first')
    .option('--source <id>', 'only this assistant')
    .option('--workspace <path>', 'only this project: a path or a folder name')
    .option('--repository <remote>', 'only this git repository: a remote, owner/name, or its name')
    .option('--author <name>', 'only chats of this person; me: your own')
    .option('--machine <name>', 'only chats of this machine; this: the one you are on')
    .option('--since <when>', 'only chats since a date (2026-05-01) or an age (7d, 4w)')
    .option('--until <when>', 'only chats until a date or an age')
    .option('--starred', 'only starred chats')
    .option('--title <words>', 'only chats whose title contains this')
    .option('--subagents', "include sub-agents' chats")
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--offset <n>', 'skip the first n', '0')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/list.ts')).list(options)))
}
