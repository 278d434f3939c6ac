import type { Command } from 'commander'
import { project } from '../command.ts'

/** Which chats are listed or searched. */
export function narrowingOptions(command: Command): Command {
  return command
    .option('--source <id>', 'only this assistant')
    .addOption(project('only this project: a path or a folder name'))
    .option('--repository <remote>', 'only this git repository: a remote, owner/name, or its name')
    .option('--author <name>', 'only chats of this person; me: your own')
    .option('--machine <name>', 'only chats of this machine; this: the one you are on')
    .option('--since <when>', 'only chats since a date (2026-05-01) or an age (7d, 4w)')
    .option('--until <when>', 'only chats until a date or an age')
}
