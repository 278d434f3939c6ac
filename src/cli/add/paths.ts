import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addPaths(program: Command): void {
  program
    .command('paths')
    .description('print where the archive is and where each assistant is looked for')
    .addOption(json())
    .action(run(async (options) => (await import('../commands/paths.ts')).paths(options)))
}
