import type { Command } from 'commander'

/** Commands whose words may be excluded by a minus, as in the page's search field. */
const SEARCHING = new Set(['search', 'browse'])
const EXCLUSION = /^-[\p{L}\p{N}"][^=]/u

/**
 * The arguments with `-word` written as `--exclude=word`, which the parser of options would take for
 * an unknown option. A regular expression may begin with a minus, and what follows `--` is words.
 */
export function withExclusions(given: string[], cli: Command): string[] {
  const command = cli.commands.find((each) => each.name() === given.find((one) => !one.startsWith('-')))
  if (!command || !SEARCHING.has(command.name()) || given.includes('--regex')) return given
  const takesValue = (flag: string | undefined) =>
    command.options.some(({ long, required }) => long === flag && required)
  const end = given.includes('--') ? given.indexOf('--') : given.length
  return given.map((argument, at) =>
    at < end && EXCLUSION.test(argument) && !takesValue(given[at - 1])
      ? `--exclude=${argument.slice(1).replaceAll('"', '')}`
      : argument,
  )
}
