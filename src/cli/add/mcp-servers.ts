import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addMcpServers(program: Command): void {
  program
    .command('mcp-servers')
    .description("manage the agent's MCP servers: list, test, tools, login, input, or allow this folder's")
    .argument('[action...]', 'list, test [id], tools [id], login <id>, input <name>, allow')
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('../commands/mcp-servers.ts')).mcpServers(action as string[], options),
      ),
    )
}
