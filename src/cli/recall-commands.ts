import type { Command, Option } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** The commands that recall: what was asked, whole chats, what they show, used and cost, and exports. */
export function recallCommands(program: Command, run: Run, json: () => Option): void {
  const reveal = (command: Command) =>
    command.option('--reveal', 'show passwords and keys instead of redacting them').addOption(json())

  reveal(program.command('requests'))
    .description('list what you asked in a chat, verbatim; default: the current chat here')
    .argument('[chat]')
    .option('--index <n>', 'show the nth request in full')
    .option('--from <n>', 'start at request n')
    .option('--limit <n>', 'maximum number of results', '20')
    .action(
      run(async (options, chat) =>
        (await import('./commands/requests.ts')).requests(chat as string | undefined, options),
      ),
    )

  reveal(program.command('gather'))
    .description('print one chat, or merge several in time order and mark what they share')
    .argument('<chats...>')
    .option('--no-tools', 'exclude tool calls and results')
    .option('--role <role...>', 'only messages of this role: user, assistant, tool')
    .option('--from <n>', 'start at message n')
    .option('--to <n>', 'end with message n')
    .option('--max-chars <n>', 'maximum characters')
    .option('--cursor <cursor>', 'cursor from the previous response')
    .option('--no-pager', 'print instead of paging')
    .action(
      run(async (options, chats) =>
        (await import('./commands/gather.ts')).gather(chats as string[], options),
      ),
    )

  reveal(program.command('resolve'))
    .description('find chats and messages by id prefix')
    .argument('<prefix>', 'at least 4 characters')
    .option('--limit <n>', 'maximum number of results', '20')
    .action(
      run(async (options, prefix) =>
        (await import('./commands/resolve.ts')).resolve(prefix as string, options),
      ),
    )

  const choosing = (command: Command) =>
    reveal(command)
      .argument('[chats...]', 'chat ids')
      .option('--query <words>', 'chats matching a search')
      .option('--source <id>', 'only this assistant')
      .option('--workspace <path>', 'only this project: a path or a folder name')
      .option('--since <when>', 'only since a date (2026-05-01) or an age (7d, 4w)')
      .option('--until <when>', 'only until a date or an age')

  choosing(program.command('evidence'))
    .description('list citations, links, attachments, files, commands and code of chats')
    .option('--kind <kind...>', 'only: citation, web, link, attachment, file, command, code')
    .action(
      run(async (options, chats) =>
        (await import('./commands/evidence.ts')).evidence(chats as string[], options),
      ),
    )

  choosing(program.command('metrics'))
    .description('show messages, tokens, cost, latency and tool calls')
    .option(
      '--by <group>',
      'group by day, hour, model, source, workspace, repository, tool, chat or subagent',
    )
    .option('--tool <name>', 'only calls of this tool')
    .option('--limit <n>', 'maximum number of groups')
    .option('--repository <remote>', 'only this git repository: a remote, owner/name, or its name')
    .option('--author <name>', 'only chats of this person; me: your own')
    .option('--machine <name>', 'only chats of this machine; this: the one you are on')
    .action(
      run(async (options, chats) =>
        (await import('./commands/metrics.ts')).metrics(chats as string[], options),
      ),
    )

  choosing(program.command('export'))
    .description('export chats to a file or standard output')
    .option(
      '--format <format>',
      'markdown, json, jsonl, finetune-openai, finetune-anthropic, html',
      'markdown',
    )
    .option('--out <file>', 'output file (readable only by you)')
    .option('--force', 'overwrite an existing file')
    .option('--examples <what>', 'fine-tuning: one example per chat or per turn', 'chat')
    .action(
      run(async (options, chats) =>
        (await import('./commands/export.ts')).exportTo(chats as string[], options),
      ),
    )
}
