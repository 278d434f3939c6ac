import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addRevive(program: Command): void {
  program
    .command('revive')
    .description('write an archived chat back for its assistant to resume: Claude Code, Codex, Copilot CLI')
    .argument('<chat>')
    .option('--dry-run', 'show what would be written')
    .addOption(json())
    .action(
      run(async (options, chat) => (await import('../commands/revive.ts')).revive(chat as string, options)),
    )
}
