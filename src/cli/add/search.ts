import type { Command } from 'commander'
import { json, run } from '../command.ts'

export function addSearch(program: Command): void {
  program
    .command('search')
    .description('find chats; quotes match an exact phrase, -word excludes')
    .argument('[words...]')
    .option('--source <id>', 'only this assistant')
    .option('--workspace <path>', 'only this project: a path or a folder name')
    .option('--repository <remote>', 'only this git repository: a remote, owner/name, or its name')
    .option('--author <name>', 'only chats of this person; me: your own')
    .option('--machine <name>', 'only chats of this machine; this: the one you are on')
    .option('--since <when>', 'only chats since a date (2026-05-01) or an age (7d, 4w)')
    .option('--until <when>', 'only chats until a date or an age')
    .option('--role <role>', 'only messages of this role: user, assistant, tool')
    .option('--no-tools', 'exclude tool calls and results')
    .option('--all', 'only chats that contain all of the words')
    .option('--model <name...>', 'only chats in which this model answered')
    .option('--starred', 'only starred chats')
    .option('--sort <order>', 'relevance or date')
    .option('--save <name>', 'keep this search by a name')
    .option('--saved <name>', 'run a saved search; other options change it')
    .option('--fuzzy', 'allow typos, other word forms and prefixes')
    .option('--regex', 'treat the words as a regular expression over the whole archive')
    .option('--expand', 'also search for related words')
    .option('--scope <where>', 'where to search: content, title or both')
    .option('--exclude <words...>', 'exclude chats that contain these words; also typed as -word')
    .option('--open [n]', 'open the nth result in the reader at the match')
    .option('--limit <n>', 'maximum number of chats', '10')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .addOption(json())
    .action(
      run(async (options, words) =>
        (await import('../commands/search.ts')).search(words as string[], options),
      ),
    )
}
