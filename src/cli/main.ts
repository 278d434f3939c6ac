import { Command, CommanderError, Option } from 'commander'
import { packageVersion } from '../platform/package-root.ts'
import { agentCommands } from './agent-commands.ts'
import { contextCommand } from './commands/context.ts'
import { EXIT, fail } from './errors.ts'
import { hasScreen } from './paint.ts'
import { recallCommands } from './recall-commands.ts'
import { serveCommands } from './serve-commands.ts'
import { setupCommand } from './setup-command.ts'
import { guardTerminal } from './terminal.ts'

/**
 * The command line. Each command's code is loaded when it is called, so that none pays for the
 * others.
 */
export function program(): Command {
  const program = new Command('recollect')
    .description('Every conversation you had with an AI assistant, found in milliseconds.')
    .version(packageVersion())
    .option('--sample', 'use the built-in sample archive instead of your own')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  recollect                              search and read in a full screen
  recollect sync                         read what is new on this machine
  recollect search "connection pool"     find a chat
  recollect show 3fa9                    read one, by the beginning of its id

Where the archive lies: $RECOLLECT_HOME, else the data folder of your system (recollect paths).`,
    )

  serveCommands(program, run, json)

  program
    .command('browse')
    .description('search and read in a full screen: what `recollect` alone does on a terminal')
    .argument('[words...]', 'search for these to begin with')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .option('--no-sync', 'do not read new chats meanwhile')
    .action(
      run(async (options, words) =>
        (await import('./commands/browse.ts')).browse(words as string[], options),
      ),
    )

  program
    .command('sync')
    .description('read new and changed chats into the archive')
    .option('--watch', 'go on: keep the archive in step until Ctrl-C')
    .option('--source <id>', 'only this assistant')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/sync.ts')).sync(options)))

  program
    .command('import')
    .description(
      "bring in an export, or any assistant's own session files: one, a folder of them, a copied home folder",
    )
    .argument('<file>', 'a file, a folder, a home folder, or a zip')
    .option('--dry-run', 'only tell what would be imported')
    .addOption(json())
    .action(
      run(async (options, file) =>
        (await import('./commands/import.ts')).importFile(file as string, options),
      ),
    )

  program
    .command('search')
    .description('find chats by words; "quoted words" stand together')
    .argument('<words...>')
    .option('--source <id>', 'only this assistant')
    .option('--workspace <path>', 'only this project: a path, or the name of its folder')
    .option('--since <when>', 'only chats since: 2026-05-01, or 7d, 4w')
    .option('--until <when>', 'only chats until')
    .option('--role <role>', 'only what this side said: user, assistant, tool')
    .option('--no-tools', 'leave out what tools were asked and answered')
    .option('--all', 'only chats that hold all of the words')
    .option('--fuzzy', 'forgive typos, and take other forms and beginnings of words')
    .option('--regex', 'the words are a regular expression, matched against everything archived')
    .option('--expand', 'also look for words that mean something like these')
    .option('--scope <where>', 'content, title or both')
    .option('--exclude <words...>', 'drop chats that contain these')
    .option('--open [n]', 'open the nth result in the reader, where the words stand')
    .option('--limit <n>', 'how many chats', '10')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .addOption(json())
    .action(
      run(async (options, words) =>
        (await import('./commands/search.ts')).search(words as string[], options),
      ),
    )

  program
    .command('show')
    .description('read a chat: by id, the beginning of an id, source:id, or the path of its file')
    .argument('<chat>')
    .option('--from <n>', 'begin at message n')
    .option('--to <n>', 'end with message n')
    .option('--tools', 'with all that tools were asked and answered')
    .option('--thinking', 'with what the assistant thought')
    .option('--no-pager', 'print instead of paging')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .addOption(json())
    .action(run(async (options, chat) => (await import('./commands/show.ts')).show(chat as string, options)))

  program
    .command('resume')
    .description('the command that goes on with a chat in its own assistant')
    .argument('<chat>')
    .option('--run', 'run it, in the folder of the chat')
    .addOption(json())
    .action(
      run(async (options, chat) => (await import('./commands/resume.ts')).resume(chat as string, options)),
    )

  program
    .command('tree')
    .description('a chat with its sub-agents, its forks, and what it was forked from')
    .argument('<chat>')
    .addOption(json())
    .action(run(async (options, chat) => (await import('./commands/tree.ts')).tree(chat as string, options)))

  program
    .command('list')
    .description('list chats, newest first')
    .option('--source <id>', 'only this assistant')
    .option('--workspace <path>', 'only this project: a path, or the name of its folder')
    .option('--since <when>', 'only chats since: 2026-05-01, or 7d, 4w')
    .option('--until <when>', 'only chats until')
    .option('--title <words>', 'only titles that contain this')
    .option('--subagents', "with sub-agents' chats")
    .option('--limit <n>', 'how many', '20')
    .option('--offset <n>', 'skip the first n', '0')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/list.ts')).list(options)))

  program
    .command('status')
    .description('what is in the archive, per assistant')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/status.ts')).status(options)))

  program
    .command('sources')
    .description('every assistant: where it was looked for, what was found and what could not be read')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/sources.ts')).sources(options)))

  program
    .command('forget')
    .description('erase chats for good: text, index and all; no sync or copy of their files brings them back')
    .argument('[chats...]', 'ids of chats')
    .option('--workspace <path>', 'every chat of this project')
    .option('--before <date>', 'every chat that ended before this day')
    .option('--dry-run', 'only say what would be erased, and where else its words are')
    .option('--undo', 'let sync read forgotten chats again')
    .option('--list', 'the ids of forgotten chats')
    .option(
      '--copies <what>',
      'take forgotten chats out of backups and copies of the archive: rewrite, or delete them',
    )
    .option('-y, --yes', 'do not ask')
    .addOption(json())
    .action(
      run(async (options, chats) =>
        (await import('./commands/forget.ts')).forget(chats as string[], options),
      ),
    )

  program
    .command('revive')
    .description('write an archived chat back where its assistant finds it: Claude Code, Codex, Copilot CLI')
    .argument('<chat>')
    .option('--dry-run', 'only say what would be written')
    .addOption(json())
    .action(
      run(async (options, chat) => (await import('./commands/revive.ts')).revive(chat as string, options)),
    )

  program
    .command('redact')
    .description('which secrets are in the archive, by kind and chat; and take them out of it for good')
    .argument('[chats...]', 'ids of chats; all without any')
    .option('--at-rest', 'rewrite the archive, its index and its backups without them')
    .option('--no-backups', 'leave backups and copies of the archive as they are')
    .option('-y, --yes', 'do not ask')
    .addOption(json())
    .action(
      run(async (options, chats) =>
        (await import('./commands/redact.ts')).redact(chats as string[], options),
      ),
    )

  program
    .command('embed')
    .description('give new messages their vectors, for search by meaning (docs/configuration.md)')
    .option('--erase', 'remove all vectors instead')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/embed.ts')).embed(options)))

  program
    .command('mcp')
    .description('serve agents over MCP, on stdin and stdout or over HTTP (docs/mcp.md)')
    .option('--tools <sets>', 'which tools: recall, search, context, export, all', 'all')
    .option('--http [port]', 'serve Streamable HTTP on this port of this machine (3939), as $MCP_PORT does')
    .option('--host <name>', 'another interface to listen on; needs TLS, or --insecure')
    .option('--tls-cert <file>', 'certificate, in PEM')
    .option('--tls-key <file>', 'its key, in PEM')
    .option('--insecure', 'listen on another interface without TLS')
    .option('--no-token', 'ask for no token: whoever is on this machine may read your chats')
    .option('--max-chars <n>', 'the most characters of an answer, whichever client asks')
    .option('--no-sync', 'do not keep the archive in step while serving')
    .action(run(async (options) => (await import('./commands/mcp.ts')).mcp(options)))

  program
    .command('token')
    .description('the tokens with which clients may ask over HTTP')
    .argument('<action...>', 'create <name>, list, or revoke <name or id>')
    .option('--days <n>', 'create: valid for so many days')
    .option(
      '--scope <scopes...>',
      'create: what it is good for: read, context, export, ask, approve (read, ask)',
    )
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('./commands/token.ts')).token(action as string[], options),
      ),
    )

  program
    .command('backup')
    .description(
      'copy the archive as it is now, and check the copy; what an earlier one holds is not stored again',
    )
    .argument('[folder]', 'where to; `backups` beside the archive otherwise, where the last three are kept')
    .addOption(json())
    .action(
      run(async (options, folder) =>
        (await import('./commands/backup.ts')).backup(folder as string | undefined, options),
      ),
    )

  program
    .command('restore')
    .description('bring a backup back; the present archive is set aside, not erased')
    .argument('[backup]', 'its name, its file, or a folder of backups; the newest otherwise')
    .option('--list', 'only show the backups there are')
    .addOption(json())
    .action(
      run(async (options, which) =>
        (await import('./commands/restore.ts')).restoreBackup(which as string | undefined, options),
      ),
    )

  program
    .command('repair')
    .description(
      "make a damaged archive sound: keep all that can be read, take the rest from your assistants' files and the backups",
    )
    .option('--dry-run', 'only say what would be saved and what is lost')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/repair.ts')).repair(options)))

  program
    .command('doctor')
    .description('check the archive, and show what could not be read and where')
    .option('--deep', 'check every stored text and every index too; takes longer')
    .option('--coverage', "count what is in the assistants' files, and what of it is archived")
    .addOption(json())
    .action(
      run(async (options) =>
        options.coverage
          ? (await import('./commands/coverage.ts')).showCoverage(options)
          : (await import('./commands/doctor.ts')).doctor(options),
      ),
    )

  program
    .command('paths')
    .description('where the archive lies, and where each assistant was looked for')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/paths.ts')).paths(options)))

  recallCommands(program, run, json)
  agentCommands(program, run, json)
  setupCommand(program, run, json)
  program.addCommand(contextCommand(run))

  for (const command of program.commands) command.exitOverride().configureOutput({ outputError: () => {} })
  return program
}

type Action = (options: Record<string, never>, argument: unknown) => Promise<void>

function run(action: Action) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    await action(command.optsWithGlobals() as Record<string, never>, given.length > 2 ? given[0] : undefined)
  }
}

function json(): Option {
  return new Option('--json', 'print JSON')
}

async function main(): Promise<void> {
  const wantsJson = process.argv.includes('--json')
  guardTerminal(process.stderr)
  // There the protocol speaks.
  if (process.argv[2] !== 'mcp') guardTerminal(process.stdout, { json: wantsJson })
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  try {
    const cli = program()
    const given = process.argv.slice(2)
    if (given.some((argument) => argument !== '--sample')) await cli.parseAsync()
    else if (hasScreen()) await cli.parseAsync(['browse', ...given], { from: 'user' })
    else cli.help()
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0 || error.code === 'commander.help') return
      process.stderr.write(`${error.message}\nSee \`recollect --help\`.\n`)
      process.exitCode = EXIT.usage
    } else fail(error, wantsJson)
  }
}

await main()
