import type { Command, Option } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** The commands that serve the page, REST and MCP from one process. */
export function serveCommands(program: Command, run: Run, json: () => Option): void {
  serving(program.command('start'))
    .description('sync, then serve the page and open it (what `npm start` does)')
    .action(run(async (options) => (await import('./commands/start.ts')).start(options)))

  serving(program.command('serve'))
    .description('serve the page, REST API and MCP on this machine (docs/serve.md)')
    .option('--host <name>', 'interface to listen on; needs TLS or --insecure')
    .option('--tls-cert <file>', 'certificate (PEM)')
    .option('--tls-key <file>', 'private key (PEM)')
    .option('--insecure', 'allow another interface without TLS')
    .option('--no-sync', 'do not sync while serving')
    .option('--hub', 'search node: serve what the hub has to people, each within their spaces (docs/hub.md)')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/serve.ts')).serve(options)))
}

function serving(command: Command): Command {
  return command
    .option('--port <port>', 'port to listen on; 0 picks a free one (default 3939)')
    .option('--no-open', 'print the link instead of opening a browser')
}
