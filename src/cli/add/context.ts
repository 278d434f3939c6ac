import type { Command } from 'commander'
import { json, run } from '../command.ts'

/** `recollect context …`: the file through which agents and people hand over work. */
export function addContext(program: Command): void {
  const context = program
    .command('context')
    .description('context.md: hand over work between agents and people')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Examples:
  recollect context init                             start a context.md in this project
  recollect context append "Tests pass; docs open"   leave a note for whoever continues
  recollect context export current                   leave a summary of the newest chat here
  recollect context read --last 5                    what was left lately

Which file: context.md ($CONTEXT_FILE_NAME) in --workspace, else $WORKSPACE, else the project you are in.`,
    )
  const actions = () => import('../commands/context-actions.ts')
  const command = (name: string, description: string) =>
    context
      .command(name)
      .description(description)
      .option('-w, --workspace <path>', 'the project folder')
      .addOption(json())

  command('read', 'show the file, or the end of it')
    .option('--last <n>', 'only the last n entries')
    .option('--plain', 'without Markdown marks')
    .option('--max-bytes <n>', 'at most this many bytes from the end')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .action(run(async (options) => (await actions()).read(options)))

  command('append', 'add an entry, from the words or standard input')
    .argument('[words...]')
    .option('--title <title>', 'default: the first line')
    .action(run(async (options, words) => (await actions()).append(words as string[], options)))

  command('init', 'start a context.md')
    .option('--name <name>', 'of the project')
    .option('--description <text>', 'what the project is about')
    .action(run(async (options) => (await actions()).init(options)))

  command('export', 'add a chat as an entry, or update the entry it has')
    .argument('<chat>', 'id, id prefix, source:id, path, or `current`')
    .option('--full', 'every request and answer instead of a summary')
    .option('--reveal', 'keep passwords and keys instead of redacting them')
    .action(run(async (options, chat) => (await actions()).exportChat(chat as string, options)))

  command('summary', 'size and last entries').action(
    run(async (options) => (await actions()).summary(options)),
  )

  command('resume', 'print the command to resume a chat; default: the newest one here')
    .argument('[chat]')
    .action(run(async (options, chat) => (await actions()).resume(chat as string | undefined, options)))

  const files = 'agents-md, copilot-instructions, claude-md or memory-dir'
  command('to-memory', "show how the last entries would look in an assistant's instructions")
    .option('--target <file>', files)
    .option('--apply', 'write it')
    .action(run(async (options) => (await actions()).toMemory(options)))

  command('from-memory', "preview an assistant's instructions as a context entry")
    .option('--from <file>', files)
    .option('--apply', 'write it')
    .action(run(async (options) => (await actions()).fromMemory(options)))

  command('archive', 'move older entries to context.archive.md')
    .option('--keep <n>', 'number of newest entries to keep', '20')
    .action(run(async (options) => (await actions()).archive(options)))

  command('check', 'check which chats and files behind the entries still exist or changed').action(
    run(async (options) => (await actions()).check(options)),
  )

  for (const each of context.commands) each.exitOverride().configureOutput({ outputError: () => {} })
}
