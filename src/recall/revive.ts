import fs from 'node:fs'
import path from 'node:path'
import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import type { Machine } from '../platform/machine.ts'
import { type RevivedFile, spokenIn } from '../sources/revived.ts'
import type { Source } from '../sources/source.ts'

export interface Revival {
  chatId: string
  source: string
  /** The main one last. */
  files: { path: string; bytes: number }[]
  messages: number
  requests: number
  /** What goes on with it, and where. */
  command?: string
  workspace?: string
}

/** What would be written to bring an archived chat back into its assistant, with the words as they were said. */
export async function planRevival(
  { archive, sources, machine }: { archive: Archive; sources: Source[]; machine: Machine },
  reference: string,
): Promise<Revival & { chat: ArchivedChat; contents: RevivedFile[] }> {
  const chat = await archive.resolveChat(reference)
  const source = sources.find(({ id }) => id === chat.source)
  if (!source?.revive || chat.subagent)
    throw new RecollectError(
      'NOT_REVIVABLE',
      chat.subagent
        ? 'A sub-agent is not resumed on its own.'
        : `${source?.name ?? chat.source} chats cannot be written back.`,
      chat.subagent && chat.parentId
        ? `Revive the chat that started it: recollect revive ${chat.parentId}`
        : 'Claude Code, Codex and Copilot CLI can resume a chat that is written back; others read `recollect context export`.',
    )
  const { SESSION, revive } = await source.revive()
  const units = (await archive.unitsOf(chat)).map((unit) => unit.path)
  const there = units.find((file) => SESSION.test(file) && fs.existsSync(file))
  if (there) throw stillThere(chat, there)
  const spoken = spokenIn(await archive.messages(chat))
  if (spoken.length === 0)
    throw new RecollectError('NOT_REVIVABLE', 'Nothing was said in this chat.', 'Choose another one.')
  const roots = source.roots(machine).map((root) => root.path)
  const files = units.filter((file) => roots.some((root) => !path.relative(root, file).startsWith('..')))
  const contents = revive({ chat, messages: spoken, files }, machine)
  for (const { path: each } of contents) if (fs.existsSync(each)) throw stillThere(chat, each)
  return {
    chat,
    contents,
    chatId: chat.id,
    source: chat.source,
    files: contents.map(({ path: each, text }) => ({ path: each, bytes: Buffer.byteLength(text) })),
    messages: spoken.length,
    requests: spoken.filter(({ kind }) => kind === 'request').length,
    ...(chat.resume && { command: chat.resume }),
    ...(chat.workspace && { workspace: chat.workspace }),
  }
}

/** Writes new files, never over one that is there; all of them or none. */
export async function revive(
  archive: Archive,
  { chat, contents }: { chat: ArchivedChat; contents: RevivedFile[] },
): Promise<void> {
  const written: string[] = []
  const main = contents.at(-1)!
  await archive.noteRevived(chat, main.path, Buffer.byteLength(main.text))
  try {
    for (const { path: file, text } of contents) {
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      const part = `${file}.part-${process.pid}`
      try {
        fs.writeFileSync(part, text, { mode: 0o600, flag: 'wx', flush: true })
        putNew(part, file)
        written.push(file)
      } finally {
        fs.rmSync(part, { force: true })
      }
    }
  } catch (error) {
    for (const file of written) fs.rmSync(file, { force: true })
    await archive.noteNotRevived(chat.source, main.path)
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw stillThere(chat, main.path)
    throw new RecollectError(
      'WRITE_ERROR',
      `The chat could not be written: ${(error as Error).message}.`,
      'Nothing was left behind. Make the folder writable and try again.',
    )
  }
}

/** A link fails where the file is there by now; a rename would replace it. Some disks have no links. */
function putNew(part: string, file: string): void {
  try {
    fs.linkSync(part, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    fs.copyFileSync(part, file, fs.constants.COPYFILE_EXCL)
  }
}

function stillThere({ id, resume }: ArchivedChat, file: string): RecollectError {
  return new RecollectError(
    'STILL_THERE',
    `The assistant still has this chat: ${file}`,
    resume ? `Go on with it: ${resume}` : `Read it: recollect show ${id}`,
  )
}
