import { type Command, CommanderError } from 'commander'
import { answerShell } from './answer-shell.ts'
import { fail } from './errors.ts'
import { withExclusions } from './exclusions.ts'
import { hasScreen } from './paint.ts'
import { program } from './program.ts'
import { guardTerminal, unheard } from './terminal.ts'

/** `help` of a command that does not exist would show everything, as if it did. */
function refuseUnknownHelp([first, name]: string[], cli: Command): void {
  if (first === 'help' && name && !cli.commands.some((each) => each.name() === name))
    cli.error(`error: unknown command '${name}'`, { code: 'commander.unknownCommand' })
}

async function main(): Promise<void> {
  const wantsJson = process.argv.includes('--json')
  guardTerminal(process.stderr)
  // There the protocol speaks.
  if (process.argv[2] !== 'mcp') guardTerminal(process.stdout, { json: wantsJson })
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    fail(error)
    process.exit()
  })
  process.stderr.on('error', unheard)
  const cli = program()
  try {
    if (await answerShell(cli, process.argv.slice(2))) return
    const given = withExclusions(process.argv.slice(2), cli)
    refuseUnknownHelp(given, cli)
    if (given.some((argument) => argument !== '--sample')) await cli.parseAsync(given, { from: 'user' })
    else if (hasScreen()) await cli.parseAsync(['browse', ...given], { from: 'user' })
    else cli.help()
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0 || error.code === 'commander.help') return
      const { wrongUse } = await import('./wrong-use.ts')
      fail(wrongUse(error, process.argv.slice(2), cli), wantsJson)
    } else fail(error, wantsJson)
  }
}

void main()
