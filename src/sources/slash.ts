import type { Message } from '../model/chat.ts'

/** What a path begins with more often than a command: `/tmp is full` is no command. */
const FOLDERS = new Set(
  'bin boot data dev etc home lib lib64 media mnt nix opt private proc root run sbin srv sys tmp users usr var volumes workspace workspaces'.split(
    ' ',
  ),
)

/**
 * What a person wrote where commands begin with a slash: the words behind one are the request and the
 * command the way it took; a command alone stays a command; a path is none.
 */
export function behindCommand(text: string): Pick<Message, 'kind' | 'via' | 'text'> {
  const found = /^\s*\/([\p{L}][\p{L}\p{N}_:.-]{0,80})(?:\s+([\s\S]*))?$/u.exec(text)
  if (!found || FOLDERS.has(found[1]!.toLowerCase())) return { kind: 'request', text }
  const rest = found[2]?.trim()
  return rest ? { kind: 'request', via: `/${found[1]}`, text: rest } : { kind: 'command', text }
}
