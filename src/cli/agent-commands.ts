import type { Command, Option } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** The commands of Recollect's own agent. */
export function agentCommands(program: Command, run: Run, json: () => Option): void {
  const agent = (command: Command) =>
    command
      .option('--provider <id>', 'model provider: anthropic, openai, gemini, ollama, … (docs/agent.md)')
      .option('--model <name>', 'model name')
      .option('--session <id>', 'continue an earlier chat')
      .option('--no-tools', 'answer without tools')
      .option('--allow <tools...>', 'run these tools without asking: names, server/tool, or patterns with *')
      .option('-y, --yes', 'run every tool without asking')

  agent(program.command('ask'))
    .description('ask a model that can search your chats and use your MCP servers')
    .argument('[words...]', 'the question; default: standard input')
    .addOption(json())
    .action(
      run(async (options, words) => (await import('./commands/ask.ts')).ask(words as string[], options)),
    )

  agent(program.command('chat'))
    .description('chat with that model; Ctrl-C stops an answer, /exit quits')
    .action(run(async (options) => (await import('./commands/chat.ts')).chat(options)))

  program
    .command('mcp-servers')
    .description("manage the agent's MCP servers: list, test, tools, or allow this folder's")
    .argument('[action...]', 'list, test [id], tools [id], allow')
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('./commands/mcp-servers.ts')).mcpServers(action as string[], options),
      ),
    )
}
