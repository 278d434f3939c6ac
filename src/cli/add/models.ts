import { type Command, Option } from 'commander'
import { json, run } from '../command.ts'

export function addModels(program: Command): void {
  program
    .command('models')
    .description('set up model providers and keys: list, set, use, forget, test (docs/models.md)')
    .argument(
      '[action...]',
      'list [provider], set <provider>, use <provider/model>, forget <provider>, test [provider]',
    )
    .option('--url <address>', 'set: where its API begins')
    .addOption(
      new Option('--kind <format>', 'set: the API it speaks').choices([
        'anthropic',
        'openai',
        'gemini',
        'openai-compatible',
      ]),
    )
    .option('--model <name>', 'set: the model it answers with')
    .option('--context <tokens>', 'set: how many tokens its models read (Ollama, LM Studio)')
    .option('--default', 'set: let it answer where no other is named')
    .option('--no-keychain', "set: keep the key in a file instead of the system's keychain")
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('../commands/models.ts')).models(action as string[], options),
      ),
    )
}
