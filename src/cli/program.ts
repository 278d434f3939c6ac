import { Command } from 'commander'
import { RecollectError } from '../model/errors.ts'
import { packageVersion } from '../platform/package-root.ts'
import { addAsk } from './add/ask.ts'
import { addBackup } from './add/backup.ts'
import { addBrowse } from './add/browse.ts'
import { addChat } from './add/chat.ts'
import { addCompletion } from './add/completion.ts'
import { addContext } from './add/context.ts'
import { addDoctor } from './add/doctor.ts'
import { addEmbed } from './add/embed.ts'
import { addEvidence } from './add/evidence.ts'
import { addExport } from './add/export.ts'
import { addForget } from './add/forget.ts'
import { addGather } from './add/gather.ts'
import { addHub } from './add/hub.ts'
import { addImport } from './add/import.ts'
import { addInit } from './add/init.ts'
import { addList } from './add/list.ts'
import { addMcp } from './add/mcp.ts'
import { addMcpServers } from './add/mcp-servers.ts'
import { addMetrics } from './add/metrics.ts'
import { addModels } from './add/models.ts'
import { addPaths } from './add/paths.ts'
import { addPick } from './add/pick.ts'
import { addRedact } from './add/redact.ts'
import { addRepair } from './add/repair.ts'
import { addRequests } from './add/requests.ts'
import { addResolve } from './add/resolve.ts'
import { addRestore } from './add/restore.ts'
import { addResume } from './add/resume.ts'
import { addRevive } from './add/revive.ts'
import { addSearch } from './add/search.ts'
import { addSearches } from './add/searches.ts'
import { addServe } from './add/serve.ts'
import { addSetup } from './add/setup.ts'
import { addShow } from './add/show.ts'
import { addSources } from './add/sources.ts'
import { addStar } from './add/star.ts'
import { addStart } from './add/start.ts'
import { addStatus } from './add/status.ts'
import { addSync } from './add/sync.ts'
import { addToken } from './add/token.ts'
import { addTree } from './add/tree.ts'
import type { AddCommand } from './command.ts'

/** Every command, in the order in which help lists them. */
const COMMANDS: AddCommand[] = [
  addStart,
  addServe,
  addBrowse,
  addSync,
  addImport,
  addSearch,
  addShow,
  addResume,
  addTree,
  addStar,
  addSearches,
  addList,
  addStatus,
  addSources,
  addForget,
  addRevive,
  addRedact,
  addEmbed,
  addMcp,
  addToken,
  addBackup,
  addRestore,
  addRepair,
  addDoctor,
  addPaths,
  addRequests,
  addGather,
  addResolve,
  addEvidence,
  addMetrics,
  addExport,
  addAsk,
  addChat,
  addModels,
  addMcpServers,
  addSetup,
  addHub,
  addCompletion,
  addInit,
  addPick,
  addContext,
]

/** Options that narrow. One that is empty, as a variable that is not set leaves it, would narrow nothing. */
const NARROWING = [
  'source',
  'workspace',
  'repository',
  'author',
  'machine',
  'since',
  'until',
  'before',
  'query',
  'tool',
  'title',
  'role',
  'model',
  'exclude',
  'scope',
  'from',
  'to',
]

function refuseEmpty(options: Record<string, unknown>): void {
  const empty = NARROWING.find((name) => [options[name]].flat().includes(''))
  if (empty)
    throw new RecollectError('INVALID_ARGUMENT', `--${empty} is empty.`, 'Give it a value, or leave it out.')
}

/** The command line. */
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

  program.hook('preAction', (_, command) => refuseEmpty(command.opts()))
  for (const add of COMMANDS) add(program)
  for (const command of program.commands) command.exitOverride().configureOutput({ outputError: () => {} })
  return program
}
