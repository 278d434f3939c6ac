import type { Command } from 'commander'
import { json, run } from '../command.ts'
import { serveOptions } from './serve-options.ts'

export function addServe(program: Command): void {
  serveOptions(program.command('serve'))
    .description('serve the page, REST API and MCP on this machine (docs/serve.md)')
    .option('--host <name>', 'interface to listen on; needs TLS or --insecure')
    .option('--tls-cert <file>', 'certificate (PEM)')
    .option('--tls-key <file>', 'private key (PEM)')
    .option('--insecure', 'without TLS on another interface, or for others: something in front does TLS')
    .option('--no-sync', 'do not sync while serving')
    .option('--hub', 'search node: serve what the hub has to people, each within their spaces (docs/hub.md)')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/serve.ts')).serve(options)))
}
