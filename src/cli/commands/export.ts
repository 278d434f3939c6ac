import path from 'node:path'
import { thisMachine } from '../../platform/machine.ts'
import { EXPORT_FORMATS } from '../../recall/export/formats.ts'
import { type ChoiceOptions, choice, oneOf, withGate } from '../call.ts'
import { EXIT } from '../errors.ts'
import { bytes, count, tilde } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { oneLine, paint } from '../paint.ts'
import { chatsDone } from '../progress.ts'
import { noteLines } from '../results.ts'
import { unguarded } from '../terminal.ts'

interface Options extends ChoiceOptions {
  format?: string
  out?: string
  force?: boolean
  examples?: string
}

/** Chats as a file, or on standard output. */
export async function exportTo(chats: string[], options: Options): Promise<void> {
  await withGate(options, async (ask) => {
    const format = oneOf(options.format ?? 'markdown', EXPORT_FORMATS, 'format')
    const examples =
      options.examples === undefined ? undefined : oneOf(options.examples, ['chat', 'turn'], 'examples')
    const { stderr } = process
    const input = { ...choice(chats, options), format, path: fileOf(options), force: options.force, examples }
    const answer = await unlessStopped((progress) => ask('export_chats', input, { progress }))
    if (!answer) {
      if (options.json) console.log(JSON.stringify({ interrupted: true }))
      else stderr.write('Stopped. Nothing of this export was kept.\n')
      process.exitCode = EXIT.interrupted
      return
    }
    const { yellow } = paint(stderr)
    if (options.json) console.log(JSON.stringify(answer))
    else if (answer.path) {
      console.log(
        `${count(answer.chats, 'chat')} with ${count(answer.messages, 'message')} in ${tilde(answer.path)}, ${bytes(answer.bytes ?? 0)}`,
      )
    } else (process.stdout.isTTY ? process.stdout : unguarded(process.stdout)).write(answer.text ?? '')
    for (const { error } of answer.notFound ?? []) stderr.write(`${yellow(oneLine(error))}\n`)
    if (!options.json) for (const note of noteLines(answer.notes, stderr)) stderr.write(`${note}\n`)
  })
}

/** What comes of it; nothing where Ctrl-C stopped it, which leaves no part of a file behind. */
async function unlessStopped<T>(work: (progress: typeof chatsDone) => Promise<T>): Promise<T | undefined> {
  const { signal, done } = onInterrupt()
  try {
    return await work((chats, of) => {
      chatsDone(signal.aborted ? of : chats, of)
      signal.throwIfAborted()
    })
  } catch (error) {
    if (!signal.aborted) throw error
    return undefined
  } finally {
    done()
  }
}

/** As the shell would mean it: from the folder we are in. */
function fileOf({ out }: Options): string | undefined {
  return out === undefined ? undefined : path.resolve(out.replace(/^~(?=$|[\\/])/, thisMachine().home))
}
