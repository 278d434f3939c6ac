import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the archive, and list what could not be read')
    .option('--deep', 'verify every stored text and index; takes longer')
    .option('--coverage', "compare the assistants' files with what is archived")
    .addOption(json())
    .action(
      run(async (options) =>
        options.coverage
          ? (await import('../commands/coverage.ts')).showCoverage(options)
          : (await import('../commands/doctor.ts')).doctor(options),
      ),
    )
}
