import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addSources(program: Command): void {
  program
    .command('sources')
    .description(
      'list supported assistants: where each was looked for, what was found, what could not be read',
    )
    .addOption(json())
    .action(run(async (options) => (await import('../commands/sources.ts')).sources(options)))
}
