import { Command, CommanderError, Option } from 'commander'
import { packageVersion } from '../platform/package-root.ts'
import { agentCommands } from './agent-commands.ts'
import { contextCommand } from './commands/context.ts'
import { EXIT, fail } from './errors.ts'
import { withExclusions } from './exclusions.ts'
import { hubCommand } from './hub-command.ts'
import { hasScreen } from './paint.ts'
import { recallCommands } from './recall-commands.ts'
import { serveCommands } from './serve-commands.ts'
import { setupCommand } from './setup-command.ts'
import { answerShell, shellCommands } from './shell-commands.ts'
import { guardTerminal } from './terminal.ts'

/**
 * The command line. Each command's code is loaded when it is called, so that none pays for the
 * others.
 */
export function program(): Command {
  const program = new Command('recollect')
    .description('Search and recall every AI chat on your machine.')
    .version(packageVersion())
    .option('--sample', 'use the built-in sample archive instead of your own')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  recollect                              browse in the terminal
  recollect sync                         read new chats on this machine
  recollect search "connection pool"     find a chat
  recollect show 3fa9                    read one, by id prefix

The archive is in $RECOLLECT_HOME, or your system's data folder (recollect paths prints it).`,
    )

  serveCommands(program, run, json)

  program
    .command('browse')
    .description('search and read in a full-screen terminal browser (same as `recollect` alone)')
    .argument('[words...]', 'search for these first')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .option('--exclude <words...>', 'exclude chats that contain these words; also typed as -word')
    .option('--no-sync', 'do not sync in the background')
    .action(
      run(async (options, words) =>
        (await import('./commands/browse.ts')).browse(words as string[], options),
      ),
    )

  program
    .command('sync')
    .description('read new and changed chats into the archive')
    .option('--watch', 'keep the archive up to date until Ctrl-C')
    .option('--source <id>', 'only this assistant')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/sync.ts')).sync(options)))

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
        (await import('./commands/import.ts')).importFile(file as string, options),
      ),
    )

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
        (await import('./commands/search.ts')).search(words as string[], options),
      ),
    )

  program
    .command('show')
    .description('read a chat, by id, id prefix, source:id or file path')
    .argument('<chat>')
    .option('--from <n>', 'start at message n')
    .option('--to <n>', 'end with message n')
    .option('--tools', 'include tool calls and results')
    .option('--thinking', "include the assistant's thinking")
    .option('--no-pager', 'print instead of paging')
    .option('--reveal', 'show passwords and keys instead of redacting them')
    .addOption(json())
    .action(run(async (options, chat) => (await import('./commands/show.ts')).show(chat as string, options)))

  program
    .command('resume')
    .description('print the command to resume a chat in its assistant')
    .argument('<chat>')
    .option('--run', "run it, in the chat's folder")
    .addOption(json())
    .action(
      run(async (options, chat) => (await import('./commands/resume.ts')).resume(chat as string, options)),
    )

  program
    .command('tree')
    .description("show a chat's sub-agents, forks and parent")
    .argument('<chat>')
    .addOption(json())
    .action(run(async (options, chat) => (await import('./commands/tree.ts')).tree(chat as string, options)))

  program
    .command('star')
    .description('star chats, or take the star away; the page and VS Code show it too')
    .argument('<chats...>')
    .option('--remove', 'take the star away')
    .addOption(json())
    .action(
      run(async (options, chats) => (await import('./commands/star.ts')).star(chats as string[], options)),
    )

  program
    .command('searches')
    .description('list saved searches')
    .option('--remove <name>', 'remove one')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/searches.ts')).searches(options)))

  program
    .command('list')
    .description('list chats, newest first')
    .option('--source <id>', 'only this assistant')
    .option('--workspace <path>', 'only this project: a path or a folder name')
    .option('--repository <remote>', 'only this git repository: a remote, owner/name, or its name')
    .option('--author <name>', 'only chats of this person; me: your own')
    .option('--machine <name>', 'only chats of this machine; this: the one you are on')
    .option('--since <when>', 'only chats since a date (2026-05-01) or an age (7d, 4w)')
    .option('--until <when>', 'only chats until a date or an age')
    .option('--starred', 'only starred chats')
    .option('--title <words>', 'only chats whose title contains this')
    .option('--subagents', "include sub-agents' chats")
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--offset <n>', 'skip the first n', '0')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/list.ts')).list(options)))

  program
    .command('status')
    .description('show what is in the archive, by assistant')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/status.ts')).status(options)))

  program
    .command('sources')
    .description(
      'list supported assistants: where each was looked for, what was found, what could not be read',
    )
    .addOption(json())
    .action(run(async (options) => (await import('./commands/sources.ts')).sources(options)))

  program
    .command('forget')
    .description('permanently erase chats; later syncs and copies of their files do not bring them back')
    .argument('[chats...]', 'ids of chats')
    .option('--workspace <path>', 'every chat of this project')
    .option('--before <date>', 'every chat that ended before this date')
    .option('--dry-run', 'show what would be erased, and where else the text is')
    .option('--undo', 'let sync read forgotten chats again')
    .option('--list', 'list forgotten chats')
    .option(
      '--copies <what>',
      'remove forgotten chats from backups and copies of the archive: rewrite or delete',
    )
    .option('-y, --yes', 'skip the confirmation')
    .addOption(json())
    .action(
      run(async (options, chats) =>
        (await import('./commands/forget.ts')).forget(chats as string[], options),
      ),
    )

  program
    .command('revive')
    .description('write an archived chat back for its assistant to resume: Claude Code, Codex, Copilot CLI')
    .argument('<chat>')
    .option('--dry-run', 'show what would be written')
    .addOption(json())
    .action(
      run(async (options, chat) => (await import('./commands/revive.ts')).revive(chat as string, options)),
    )

  program
    .command('redact')
    .description('list secrets in the archive by kind and chat, or remove them permanently (--at-rest)')
    .argument('[chats...]', 'chat ids; default: all chats')
    .option('--at-rest', 'rewrite the archive, its index and its backups without them')
    .option('--no-backups', 'leave backups and copies of the archive as they are')
    .option('-y, --yes', 'skip the confirmation')
    .addOption(json())
    .action(
      run(async (options, chats) =>
        (await import('./commands/redact.ts')).redact(chats as string[], options),
      ),
    )

  program
    .command('embed')
    .description('compute embeddings for new messages (docs/configuration.md)')
    .option('--erase', 'delete all embeddings instead')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/embed.ts')).embed(options)))

  program
    .command('mcp')
    .description('run the MCP server, over stdio or HTTP (docs/mcp.md)')
    .option('--tools <sets>', 'tool sets to offer: recall, search, context, export, all', 'all')
    .option('--http [port]', 'serve Streamable HTTP on this loopback port (default 3939, or $MCP_PORT)')
    .option('--host <name>', 'interface to listen on; needs TLS or --insecure')
    .option('--tls-cert <file>', 'certificate (PEM)')
    .option('--tls-key <file>', 'private key (PEM)')
    .option('--insecure', 'allow another interface without TLS')
    .option('--no-token', 'do not require a token: anyone on this machine can read your chats')
    .option('--max-chars <n>', 'maximum characters per answer, for every client')
    .option('--no-sync', 'do not sync while serving')
    .action(run(async (options) => (await import('./commands/mcp.ts')).mcp(options)))

  program
    .command('token')
    .description('manage HTTP access tokens')
    .argument('<action...>', 'create <name>, list, or revoke <name or id>')
    .option('--days <n>', 'create: days until it expires')
    .option(
      '--scope <scopes...>',
      'create: what it allows: read, context, export, ask, approve (default: read, ask)',
    )
    .option(
      '--space <names...>',
      'create: for a person who may read what came through these spaces of the hub',
    )
    .addOption(json())
    .action(
      run(async (options, action) =>
        (await import('./commands/token.ts')).token(action as string[], options),
      ),
    )

  program
    .command('backup')
    .description('back up the archive incrementally, and verify the copy')
    .argument('[folder]', 'target folder; default: `backups` beside the archive, keeping the last three')
    .addOption(json())
    .action(
      run(async (options, folder) =>
        (await import('./commands/backup.ts')).backup(folder as string | undefined, options),
      ),
    )

  program
    .command('restore')
    .description('restore a backup; the current archive is set aside, not erased')
    .argument('[backup]', 'name, file, or folder of backups; default: the newest')
    .option('--list', 'list the backups')
    .addOption(json())
    .action(
      run(async (options, which) =>
        (await import('./commands/restore.ts')).restoreBackup(which as string | undefined, options),
      ),
    )

  program
    .command('repair')
    .description(
      "repair a damaged archive: keep every readable chat, recover the rest from assistants' files and backups",
    )
    .option('--dry-run', 'show what would be recovered and what is lost')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/repair.ts')).repair(options)))

  program
    .command('doctor')
    .description('check the archive, and list what could not be read')
    .option('--deep', 'verify every stored text and index; takes longer')
    .option('--coverage', "compare the assistants' files with what is archived")
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
    .description('print where the archive is and where each assistant is looked for')
    .addOption(json())
    .action(run(async (options) => (await import('./commands/paths.ts')).paths(options)))

  recallCommands(program, run, json)
  agentCommands(program, run, json)
  setupCommand(program, run, json)
  hubCommand(program, run, json)
  shellCommands(program, run)
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

/** `help` of a command that does not exist would show everything, as if it did. */
function refuseUnknownHelp([first, name]: string[], cli: Command): void {
  if (first === 'help' && name && !cli.commands.some((each) => each.name() === name))
    cli.error(`error: unknown command '${name}'`)
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
    if (await answerShell(cli, process.argv.slice(2))) return
    const given = withExclusions(process.argv.slice(2), cli)
    refuseUnknownHelp(given, cli)
    if (given.some((argument) => argument !== '--sample')) await cli.parseAsync(given, { from: 'user' })
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
