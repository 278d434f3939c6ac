import { type Command, Option } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** The commands of Recollect's own agent. */
export function agentCommands(program: Command, run: Run, json: () => Option): void {
  const agent = (command: Command) =>
    command
      .option('--provider <id>', 'model provider: anthropic, openai, gemini, ollama, … (docs/models.md)')
      .option('--model <name>', 'model name')
      .option('--session <id>', 'continue an earlier chat')
      .option('--no-tools', 'answer without tools')
      .option('--allow <tools...>', 'run these tools without asking: names, server/tool, or patterns with *')
      .option('-y, --yes', 'run every tool without asking')

  agent(program.command('ask'))
    .description('ask a model that can search your chats and use your MCP servers')
    .argument('[words...]', 'the question; @file attaches a file, what is piped in goes with it')
    .addOption(json())
    .action(
      run(async (options, words) => (await import('./commands/ask.ts')).ask(words as string[], options)),
    )

  agent(program.command('chat'))
    .description('chat with that model; Esc stops an answer, /help lists the commands (docs/chat.md)')
    .action(run(async (options) => (await import('./commands/chat.ts')).chat(options)))

  program
    .command('models')
    .description('set up model providers and keys: list, set, use, forget, test (docs/models.md)')
    .argument(
      '[action...]',
      'list [provider], set <provider>, use <provider/model>, forget <provider>, test [provider]',
    )
    .option('--url <address>', 'set: where its API begins')
    .addOption(
      new Option('--kind <format>', 'set: the API it speaks').choices([
        'anthropic',
        'openai',
        'gemini',
        'openai-compatible',
      ]),
    )
    .option('--model <name>', 'set: the model it answers with')
    .option('--context <tokens>', 'set: how many tokens its models read (Ollama, LM Studio)')
    .option('--default', 'set: let it answer where no other is named')
    .option('--no-keychain', "set: keep the key in a file instead of the system's keychain")
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('./commands/models.ts')).models(action as string[], options),
      ),
    )

  program
    .command('mcp-servers')
    .description("manage the agent's MCP servers: list, test, tools, login, input, or allow this folder's")
    .argument('[action...]', 'list, test [id], tools [id], login <id>, input <name>, allow')
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('./commands/mcp-servers.ts')).mcpServers(action as string[], options),
      ),
    )
}
