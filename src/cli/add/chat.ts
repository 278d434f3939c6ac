import type { Command } from 'commander'
import { run } from '../command.ts'
import { agentOptions } from './agent-options.ts'

export function addChat(program: Command): void {
  agentOptions(program.command('chat'))
    .description('chat with that model; Esc stops an answer, /help lists the commands (docs/chat.md)')
    .action(run(async (options) => (await import('../commands/chat.ts')).chat(options)))
}
