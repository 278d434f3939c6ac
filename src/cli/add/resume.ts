import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addResume(program: Command): void {
  program
    .command('resume')
    .description('print the command to resume a chat in its assistant')
    .argument('<chat>')
    .option('--run', "run it, in the chat's folder")
    .addOption(json())
    .action(
      run(async (options, chat) => (await import('../commands/resume.ts')).resume(chat as string, options)),
    )
}
