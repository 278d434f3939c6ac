import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addImport(program: Command): void {
  program
    .command('import')
    .description(
      "import an export or any assistant's session files: a file, a folder or a copied home folder",
    )
    .argument('<file>', 'a file, a folder, a home folder, or a zip')
    .option('--dry-run', 'show what would be imported')
    .addOption(json())
    .action(
      run(async (options, file) =>
        (await import('../commands/import.ts')).importFile(file as string, options),
      ),
    )
}
