import type { Command } from 'commander'

/** The manual page of the whole command line, in the language of `man`. */
export function manual(cli: Command, version: string): string {
  const help = cli.createHelp()
  const commands = help.visibleCommands(cli).filter((each) => each.name() !== 'help')
  return [
    `.TH RECOLLECT 1 "" "recollect ${text(version)}" "User Commands"`,
    '.SH NAME',
    `recollect \\- ${text(lowered(cli.description()))}`,
    '.SH SYNOPSIS',
    '.B recollect',
    '[\\fIcommand\\fR] [\\fIoptions\\fR] [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    text(cli.description()),
    'Without a command, on a terminal, it opens the browser of chats.',
    '.SH OPTIONS',
    ...options(cli),
    '.SH COMMANDS',
    ...commands.flatMap((command) => section(command, '')),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([code, means]) => ['.TP', `.B ${code}`, text(means)]),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, means]) => ['.TP', `.B ${name}`, text(means)]),
    '.SH FILES',
    'The archive is in $RECOLLECT_HOME, or the data folder of the system;',
    '.B recollect paths',
    'prints it.',
    '.SH EXAMPLES',
    ...EXAMPLES.flatMap(([command, does]) => ['.TP', `.B ${text(command)}`, text(does)]),
    '',
  ].join('\n')
}

const EXITS = [
  ['0', 'done; for a search or a list: something was found'],
  ['1', 'nothing found: no chat matches, or there is no chat, backup or file of that name'],
  ['2', 'wrong use: an unknown option, value or query; nothing was done'],
  ['3', 'it failed, or doctor found damage; the message says what and what to do next'],
  ['130', 'stopped by Ctrl-C; what was done is kept'],
] as const

const ENVIRONMENT = [
  ['RECOLLECT_HOME', 'the folder of the archive and its settings'],
  ['NO_COLOR', 'where it is set, nothing is printed in colour'],
  ['PAGER', 'the program that long chats are read in'],
] as const

const EXAMPLES = [
  ['recollect sync', 'read new chats on this machine'],
  ['recollect search "connection pool"', 'find a chat'],
  ['recollect show 3fa9', 'read one, by the beginning of its id'],
] as const

function section(command: Command, above: string): string[] {
  const help = command.createHelp()
  const name = `${above}${command.name()}`
  const inner = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  const usage = inner.length > 0 ? '' : help.commandUsage(command).replace(/^.*?\[options\] ?/, '')
  return [
    `.SS ${text([name, usage].filter(Boolean).join(' '))}`,
    text(sentence(command.description())),
    ...options(command),
    ...inner.flatMap((each) => section(each, `${name} `)),
  ]
}

function options(command: Command): string[] {
  const help = command.createHelp()
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help' || !command.parent)
    .flatMap((option) => ['.TP', `.B ${text(option.flags)}`, text(help.optionDescription(option))])
}

/** What begins with a dot or a quote would be a request, and a backslash says what follows. */
function text(plain: string): string {
  return plain
    .replace(/\s+/g, ' ')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replace(
      /[^\x20-\x7e]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

function sentence(words: string): string {
  const whole = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}

function lowered(words: string): string {
  return (words.charAt(0).toLowerCase() + words.slice(1)).replace(/\.$/, '')
}
