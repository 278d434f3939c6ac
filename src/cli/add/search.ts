import type { Command } from 'commander'
import { json, run } from '../command.ts'
import { narrowingOptions } from './narrowing-options.ts'

export function addSearch(program: Command): void {
  narrowingOptions(
    program
      .command('search')
      .description('find chats; quotes match an exact phrase, -word excludes')
      .argument('[words...]'),
  )
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
