import type { Command } from 'commander'
import { json, run } from '../command.ts'
import { agentOptions } from './agent-options.ts'

export function addAsk(program: Command): void {
  agentOptions(program.command('ask'))
    .description('ask a model that can search your chats and use your MCP servers')
    .argument('[words...]', 'the question; @file attaches a file, what is piped in goes with it')
    .addOption(json())
    .action(
      run(async (options, words) => (await import('../commands/ask.ts')).ask(words as string[], options)),
    )
}
