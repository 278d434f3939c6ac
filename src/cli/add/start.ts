import type { Command } from 'commander'
import { run } from '../command.ts'
import { serveOptions } from './serve-options.ts'

export function addStart(program: Command): void {
  serveOptions(program.command('start'))
    .description('sync, then serve the page and open it (what `npm start` does)')
    .action(run(async (options) => (await import('../commands/start.ts')).start(options)))
}
