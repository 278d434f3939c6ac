import type { Command, Option } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** The commands that serve the page, REST and MCP from one process. */
export function serveCommands(program: Command, run: Run, json: () => Option): void {
  serving(program.command('start'))
    .description('sync this machine, then serve the page and open it (what `npm start` does)')
    .action(run(async (options) => (await import('./commands/start.ts')).start(options)))

  serving(program.command('serve'))
    .description('serve the page, the REST interface and MCP on this machine (docs/serve.md)')
    .option('--host <name>', 'another interface to listen on; needs TLS, or --insecure')
    .option('--tls-cert <file>', 'certificate, in PEM')
    .option('--tls-key <file>', 'its key, in PEM')
    .option('--insecure', 'listen on another interface without TLS')
    .option('--no-sync', 'do not keep the archive in step while serving')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/serve.ts')).serve(options)))
}

function serving(command: Command): Command {
  return command
    .option('--port <port>', 'the port to listen on; 0 takes any that is free (3939)')
    .option('--no-open', 'do not open a browser, only print the link')
}
