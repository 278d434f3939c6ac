import type { Command, Option } from 'commander'

type Run = (
  action: (options: Record<string, never>, argument: unknown) => Promise<void>,
) => (...given: unknown[]) => Promise<void>

/** The commands that recall: what was asked, whole chats, what they show, used and cost, and exports. */
export function recallCommands(program: Command, run: Run, json: () => Option): void {
  const reveal = (command: Command) =>
    command.option('--reveal', 'show passwords and keys instead of redacting them').addOption(json())

  reveal(program.command('requests'))
    .description('what was asked in a chat, in your own words; without a chat: the one going on here')
    .argument('[chat]')
    .option('--index <n>', 'the nth request in full')
    .option('--from <n>', 'begin at request n')
    .option('--limit <n>', 'how many', '20')
    .action(
      run(async (options, chat) =>
        (await import('./commands/requests.ts')).requests(chat as string | undefined, options),
      ),
    )

  reveal(program.command('gather'))
    .description('one chat, or several merged in time order with what they share')
    .argument('<chats...>')
    .option('--no-tools', 'leave out what tools were asked and answered')
    .option('--role <role...>', 'only what this side said: user, assistant, tool')
    .option('--from <n>', 'begin at message n')
    .option('--to <n>', 'end with message n')
    .option('--max-chars <n>', 'no more than so many characters')
    .option('--cursor <cursor>', 'go on where the answer before ended')
    .option('--no-pager', 'print instead of paging')
    .action(
      run(async (options, chats) =>
        (await import('./commands/gather.ts')).gather(chats as string[], options),
      ),
    )

  reveal(program.command('resolve'))
    .description('chats and messages whose id begins so')
    .argument('<prefix>', 'at least 4 characters')
    .option('--limit <n>', 'how many', '20')
    .action(
      run(async (options, prefix) =>
        (await import('./commands/resolve.ts')).resolve(prefix as string, options),
      ),
    )

  const choosing = (command: Command) =>
    reveal(command)
      .argument('[chats...]', 'ids of chats')
      .option('--query <words>', 'the chats that a search finds')
      .option('--source <id>', 'only this assistant')
      .option('--workspace <path>', 'only this project: a path, or the name of its folder')
      .option('--since <when>', 'only since: 2026-05-01, or 7d, 4w')
      .option('--until <when>', 'only until')

  choosing(program.command('evidence'))
    .description('what chats cite, link to, attach, edit, run and show')
    .option('--kind <kind...>', 'only: citation, web, link, attachment, file, command, code')
    .action(
      run(async (options, chats) =>
        (await import('./commands/evidence.ts')).evidence(chats as string[], options),
      ),
    )

  choosing(program.command('metrics'))
    .description('messages, tokens, cost, latency and tool calls')
    .option('--by <group>', 'by day, model, source, workspace or tool')
    .action(
      run(async (options, chats) =>
        (await import('./commands/metrics.ts')).metrics(chats as string[], options),
      ),
    )

  choosing(program.command('export'))
    .description('write chats to a file, or to standard output')
    .option(
      '--format <format>',
      'markdown, json, jsonl, finetune-openai, finetune-anthropic, html',
      'markdown',
    )
    .option('--out <file>', 'the file to write, private to you')
    .option('--force', 'write over a file that is there')
    .option('--examples <what>', 'fine-tuning: one example for each chat or each turn', 'chat')
    .action(
      run(async (options, chats) =>
        (await import('./commands/export.ts')).exportTo(chats as string[], options),
      ),
    )
}
