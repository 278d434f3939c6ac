import type { Command } from 'commander'
import { filterChats, run } from '../command.ts'

export function addEvidence(program: Command): void {
  filterChats(program.command('evidence'))
    .description('list citations, links, attachments, files, commands and code of chats')
    .option('--kind <kind...>', 'only: citation, web, link, attachment, file, command, code')
    .action(
      run(async (options, chats) =>
        (await import('../commands/evidence.ts')).evidence(chats as string[], options),
      ),
    )
}
