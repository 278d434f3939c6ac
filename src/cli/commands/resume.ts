import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { RecollectError } from '../../model/errors.ts'
import { startable, wordsOfCommand } from '../../platform/program.ts'
import { isOnDisk } from '../../recall/on-disk.ts'
import { type GlobalOptions, withArchive } from '../archive.ts'
import { readerOf } from '../call.ts'

interface Options extends GlobalOptions {
  run?: boolean
}

/** Prints the command that goes on with a chat, or runs it in the chat's own folder. */
export async function resume(reference: string, options: Options): Promise<void> {
  // What is run is run as it is, in the folder as it is called.
  const { chat } = await withArchive(options, (archive) =>
    readerOf(archive, { ...options, reveal: options.run }).open(reference),
  )
  const { filePaths: files } = chat
  if (!isOnDisk(files.map((path) => ({ path })))) {
    throw new RecollectError(
      'NOT_RESUMABLE',
      `${chat.source} no longer has this chat: its file is gone.`,
      `Bring it back with \`recollect revive ${chat.id}\`, or read it with \`recollect show ${chat.id}\`.`,
    )
  }
  if (chat.author) {
    throw new RecollectError(
      'NOT_RESUMABLE',
      `This is a chat of ${chat.author}, on ${chat.machine}: it can be resumed only there.`,
      `Read it with \`recollect show ${chat.id}\`, or hand it over with \`recollect context export\`.`,
    )
  }
  if (!chat.resume) {
    throw new RecollectError(
      'NOT_RESUMABLE',
      `${chat.source} has no command to resume a chat.`,
      `Read it with \`recollect show ${chat.id}\`, or hand it over with \`recollect context export\`.`,
    )
  }
  if (options.json)
    console.log(
      JSON.stringify({
        command: chat.resume,
        sessionId: chat.id,
        source: chat.source,
        workspace: chat.workspace,
      }),
    )
  else if (!options.run) console.log(chat.resume)
  else process.exitCode = await run(chat.resume, chat.workspace)
}

/** The command is made of a program's name, fixed words and an id; it is split, not given to a shell. */
function run(command: string, workspace: string | undefined): Promise<number> {
  const [program = '', ...words] = wordsOfCommand(command)
  const cwd = workspace && fs.existsSync(workspace) ? workspace : undefined
  const { file, args, ...how } = startable(program, words)
  const child = spawn(file, args, { ...how, stdio: 'inherit', cwd })
  return new Promise((resolve, reject) => {
    child.on('error', () =>
      reject(
        new RecollectError(
          'NOT_INSTALLED',
          `${program} could not be started.`,
          `Install it, or run \`${command}\` where it is.`,
        ),
      ),
    )
    child.on('close', (code) => resolve(code ?? 1))
  })
}
