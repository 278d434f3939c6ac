import type { Command } from 'commander'
import { RecollectError } from '../../model/errors.ts'
import { packageVersion } from '../../platform/package-root.ts'
import { oneOf } from '../call.ts'
import { oneLine } from '../paint.ts'
import { completed } from '../shell/complete.ts'
import { SHELLS } from '../shell/kinds.ts'
import { lookupIn } from '../shell/lookup.ts'
import { manual } from '../shell/manual.ts'
import { BINDING, BINDING_KEYS, COMPLETION } from '../shell/scripts.ts'

/** Prints what a shell needs to complete the words of this command line. */
export function completion(shell: string): void {
  process.stdout.write(COMPLETION[known(shell, SHELLS)])
}

/** Prints what binds a key of the shell to `recollect pick`. */
export function init(shell: string, { key = 'ctrl-r' }: { key?: string }): void {
  const bound = BINDING[known(shell, ['bash', 'zsh', 'fish'])]
  process.stdout.write(bound(oneOf(key, BINDING_KEYS, 'key')))
}

function known<T extends string>(given: string, shells: readonly T[]): T {
  const found = shells.find((shell) => shell === given)
  if (found) return found
  throw new RecollectError('INVALID_ARGUMENT', `"${given}" is not one of these shells: ${shells.join(', ')}.`)
}

/** What a shell asks while somebody types: whatever goes wrong, it is only that nothing is offered. */
export async function complete(cli: Command, given: string[]): Promise<void> {
  const words = given[0] === '--empty' ? [...given.slice(1), ''] : given
  const { lookup, close } = lookupIn({ sample: words.includes('--sample') })
  try {
    const found = await completed(cli, words, lookup)
    const lines =
      typeof found === 'string'
        ? [`:${found}`]
        : found.flatMap(({ value, about = '' }) =>
            // What would be several lines, or move the cursor, is nothing to be typed.
            value === oneLine(value) ? [`${value}\t${oneLine(about)}`] : [],
          )
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    await close()
  }
}

/** The manual page, as `man` reads it. */
export function printManual(cli: Command): void {
  process.stdout.write(manual(cli, packageVersion()))
}
