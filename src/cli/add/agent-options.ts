import type { Command } from 'commander'

/** What ask and chat share: both are turns of Recollect's own agent. */
export function agentOptions(command: Command): Command {
  return command
    .option('--provider <id>', 'model provider: anthropic, openai, gemini, ollama, … (docs/models.md)')
    .option('--model <name>', 'model name')
    .option('--session <id>', 'continue an earlier chat')
    .option('--no-tools', 'answer without tools')
    .option('--allow <tools...>', 'run these tools without asking: names, server/tool, or patterns with *')
    .option('-y, --yes', 'run every tool without asking')
}
