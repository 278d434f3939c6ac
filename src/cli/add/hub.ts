import type { Command } from 'commander'
import { json, run } from '../command.ts'

/** `recollect hub …`: several machines and a team, by a PostgreSQL of their own. */
export function addHub(program: Command): void {
  const hub = program
    .command('hub')
    .description('share chats between machines and with a team, through your own PostgreSQL (docs/hub.md)')
    .helpCommand(false)
  const command = (name: string) =>
    hub
      .command(name)
      .addOption(json())
      .exitOverride()
      .configureOutput({ outputError: () => {} })
  const actions = async () => await import('../commands/hub.ts')
  const sharing = async () => await import('../commands/hub-share.ts')
  const state = async () => await import('../commands/hub-status.ts')

  command('init')
    .description('set up a hub in a database, or bring it up to date; this machine is its first')
    .argument(
      '<url>',
      'postgres://name:password@host:5432/database; without a password, $PGPASSWORD is taken',
    )
    .option('--name <name>', 'what you are called there')
    .option('--machine <label>', 'what this machine is called')
    .option('--space <name>', 'a space of the team; where there is none yet, "team" is made')
    .option('--ca <file>', 'certificate of the authority that signed the server’s, in PEM')
    .option('--insecure', 'no TLS, though it goes over a network')
    .option('--phrase-file <file>', 'a file with the key phrase of your own space; one is made otherwise')
    .action(run(async (options, url) => (await actions()).init(url as string, options)))

  command('invite')
    .description('a login for one more machine, of a colleague or of your own; for whoever runs the hub')
    .argument('[name]', 'whose machine it is; without it, yours')
    .option('--space <names...>', 'the spaces they are let into')
    .option('--read-only', 'they may read these spaces, and not share with them')
    .option('--admin', "they may remove others' chats from these spaces")
    .option('--remove', 'lock their machines out, or with --space, only put them out of it')
    .option('--machine <label>', 'with --remove: only this one')
    .action(
      run(async (options, name) => (await actions()).inviteSomebody(name as string | undefined, options)),
    )

  command('join')
    .description('join a hub by an invitation')
    .argument('<invitation>', 'recollect-hub:…; or - to read it from standard input')
    .option('--machine <label>', 'what this machine is called')
    .option('--phrase-file <file>', 'a file with the key phrase of your own space')
    .action(run(async (options, invitation) => (await actions()).joinHub(invitation as string, options)))

  command('phrase')
    .description('tell this machine the key phrase of a sealed space')
    .option('--space <name>', 'which one; without it, your own')
    .option('--phrase-file <file>', 'a file with the phrase; asked for otherwise')
    .action(run(async (options) => (await actions()).phrase(options)))

  command('spaces')
    .description('the spaces this machine is in, and what it shares with them')
    .option('--add <name>', 'make a space for a team; for whoever runs the hub')
    .option('--sealed', 'with --add: end to end, with a key phrase; the server sees sizes and times only')
    .option('--phrase-file <file>', 'with --sealed: a file with the phrase; one is made otherwise')
    .option('--tool-answers', 'with --add: what tools answered is shared too, not only their names')
    .action(run(async (options) => (await actions()).spaces(options)))

  command('move')
    .description('move all of a space to another database, or back; for whoever runs the hub')
    .argument('<space>', 'which one')
    .requiredOption(
      '--to <url>',
      'the database, as for init, with a login that may make roles there; or `hub` for the hub’s own',
    )
    .option('--ca <file>', 'certificate of the authority that signed that server’s, in PEM')
    .option('--insecure', 'no TLS, though it goes over a network')
    .action(
      run(async (options, space) =>
        (await import('../commands/hub-move.ts')).move(space as string, options as never),
      ),
    )

  command('share')
    .description('share the chats of a folder or a repository with a space; shows first what that would be')
    .argument('[what]', 'a folder, or a repository by its remote: github.com/acme/shop')
    .option('--space <name>', 'with which; `own` is your own')
    .option('--all', 'everything; with your own space only')
    .option('--dry-run', 'only show what would be shared')
    .option('--stop', 'no longer; what was shared is removed there')
    .option('-y, --yes', 'do not ask')
    .action(run(async (options, what) => (await sharing()).share(what as string | undefined, options)))

  command('status')
    .description('per space: what was pushed, what waits, what was pulled, how far behind; and what is wrong')
    .action(run(async (options) => (await state()).status(options)))

  command('members')
    .description('who is in which space, with which machines, and how far those are')
    .action(run(async (options) => (await state()).members(options)))

  command('sync')
    .description('exchange chats with the hub now; `recollect serve` and `start` do so all the time')
    .action(run(async (options) => (await state()).syncNow(options)))

  command('leave')
    .description('leave the hub: what came from others is erased here')
    .option('--take-back', 'and what you shared from here is removed there')
    .option('-y, --yes', 'do not ask')
    .action(run(async (options) => (await sharing()).leaveHub(options)))
}
