import type { Command } from 'commander'
import { filterChats, run } from '../command.ts'

export function addExport(program: Command): void {
  filterChats(program.command('export'))
    .description('export chats to a file or standard output')
    .option(
      '--format <format>',
      'markdown, json, jsonl, finetune-openai, finetune-anthropic, html',
      'markdown',
    )
    .option('--out <file>', 'output file (readable only by you)')
    .option('--force', 'overwrite an existing file')
    .option('--examples <what>', 'fine-tuning: one example per chat or per turn', 'chat')
    .action(
      run(async (options, chats) =>
        (await import('../commands/export.ts')).exportTo(chats as string[], options),
      ),
    )
}
