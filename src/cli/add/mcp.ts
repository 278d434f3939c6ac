import type { Command } from 'commander'
import { run } from '../command.ts'

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('run the MCP server, over stdio or HTTP (docs/mcp.md)')
    .option('--tools <sets>', 'tool sets to offer: recall, search, context, export, all', 'all')
    .option('--http [port]', 'serve Streamable HTTP on this loopback port (default 3939, or $MCP_PORT)')
    .option('--host <name>', 'interface to listen on; needs TLS or --insecure')
    .option('--tls-cert <file>', 'certificate (PEM)')
    .option('--tls-key <file>', 'private key (PEM)')
    .option('--insecure', 'allow another interface without TLS')
    .option('--no-token', 'do not require a token: anyone on this machine can read your chats')
    .option('--max-chars <n>', 'maximum characters per answer, for every client')
    .option('--no-sync', 'do not sync while serving')
    .action(run(async (options) => (await import('../commands/mcp.ts')).mcp(options)))
}
