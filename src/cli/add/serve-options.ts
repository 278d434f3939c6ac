import type { Command } from 'commander'

/** What start and serve share: both serve the page, REST and MCP from one process. */
export function serveOptions(command: Command): Command {
  return command
    .option('--port <port>', 'port to listen on; 0 picks a free one (default 3939)')
    .option('--no-open', 'print the link instead of opening a browser')
}
