import { workspaceFolder } from '../../context/place.ts'
import { RecollectError } from '../../model/errors.ts'
import { thisMachine } from '../../platform/machine.ts'
import { type CallOptions, readerOf, withGate } from '../call.ts'
import { printable } from '../paint.ts'
import { itemsOf } from '../pick/items.ts'
import { picked } from '../pick/picker.ts'
import { guardTerminal, releaseTerminal } from '../terminal.ts'

/** Finds a command or a request and prints it. The screen is drawn on standard error, so that a shell gets the text alone. */
export async function pick(words: string[], options: CallOptions): Promise<void> {
  const { stdin: input, stderr: output } = process
  if (!input.isTTY || !output.isTTY || process.env.TERM === 'dumb')
    throw new RecollectError(
      'NOT_A_TERMINAL',
      'Choosing needs a terminal.',
      'Use `recollect search` and `recollect evidence --kind command` here.',
    )
  await withGate(options, async (ask, archive) => {
    const items = itemsOf(ask, readerOf(archive, options), workspaceFolder({ env: thisMachine().env }))
    releaseTerminal(output)
    try {
      const { code, text } = await picked(items, words.join(' '), { input, output })
      process.exitCode = code
      if (text !== undefined) console.log(printable(text))
    } finally {
      guardTerminal(output)
    }
  })
}
