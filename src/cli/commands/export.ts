import { EXPORT_FORMATS, exportChats } from '../../recall/export/export.ts'
import { type ChoiceOptions, choice, oneOf, withDeps } from '../call.ts'
import { bytes, count, tilde } from '../format.ts'
import { oneLine, paint } from '../paint.ts'

interface Options extends ChoiceOptions {
  format?: string
  out?: string
  force?: boolean
  examples?: string
}

/** Chats as a file, or on standard output. */
export async function exportTo(chats: string[], options: Options): Promise<void> {
  await withDeps(options, async (deps) => {
    const format = oneOf(options.format ?? 'markdown', EXPORT_FORMATS, 'format')
    const examples =
      options.examples === undefined ? undefined : oneOf(options.examples, ['chat', 'turn'], 'examples')
    const input = { ...choice(chats, options), format, path: options.out, force: options.force, examples }
    const { stderr } = process
    const answer = await exportChats(deps, input, {
      clean: deps.clean,
      room: deps.room,
      folder: process.cwd(),
      onProgress: (done, of) => {
        if (stderr.isTTY && of > 20)
          stderr.write(`\r${done} of ${of} chats${done === of ? '\r\u001b[K' : ''}`)
      },
    })
    const { yellow } = paint(stderr)
    if (options.json) console.log(JSON.stringify(answer))
    else if (answer.path) {
      console.log(
        `${count(answer.chats, 'chat')} with ${count(answer.messages, 'message')} in ${tilde(answer.path)}, ${bytes(answer.bytes ?? 0)}`,
      )
    } else process.stdout.write(answer.text ?? '')
    for (const { error } of answer.notFound ?? []) stderr.write(`${yellow(oneLine(error))}\n`)
  })
}
