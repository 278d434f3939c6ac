import path from 'node:path'
import type { FileTouch } from '../../model/chat.ts'
import { type Json, object, objects, string } from '../json.ts'

const BEGIN = '*** Begin Patch'
const FILES_PER_PATCH = 1000

/** Files named by an `apply_patch` text, wherever it stands in a command or argument. */
export function filesOfPatch(text: string, cwd: string | undefined): FileTouch[] {
  const begin = text.indexOf(BEGIN)
  if (begin < 0) return []
  const files: FileTouch[] = []
  const heading = /^\*\*\* (Add|Update|Delete|Move to)(?: File)?: (.+)$/gm
  heading.lastIndex = begin
  for (let found = heading.exec(text); found && files.length < FILES_PER_PATCH; found = heading.exec(text)) {
    const name = absolute(found[2]!.trim(), cwd)
    if (found[1] === 'Move to') {
      const moved = files.at(-1)
      if (moved) moved.action = 'rename'
      files.push({ path: name, action: 'rename' })
    } else files.push({ path: name, action: ACTIONS[found[1] as keyof typeof ACTIONS] })
  }
  return files
}

const ACTIONS = { Add: 'create', Update: 'edit', Delete: 'delete' } as const

/** `changes` of a finished patch: `{ path: { type | add | update | delete } }`. */
export function filesOfChanges(changes: unknown, cwd: string | undefined): FileTouch[] {
  return Object.entries(object(changes) ?? {})
    .slice(0, FILES_PER_PATCH)
    .flatMap(([file, change]): FileTouch[] => {
      const how = object(change) ?? {}
      const type = string(how.type) ?? ['add', 'update', 'delete'].find((key) => Object.hasOwn(how, key))
      const moved = string(how.move_path) ?? string(object(how.update)?.move_path)
      if (moved) {
        return [
          { path: absolute(file, cwd), action: 'rename' },
          { path: absolute(moved, cwd), action: 'rename' },
        ]
      }
      const action = type === 'add' ? 'create' : type === 'delete' ? 'delete' : 'edit'
      return [{ path: absolute(file, cwd), action }]
    })
}

/** Files that Codex understood a shell command to read (`cat`, `sed -n`). */
export function filesOfCommand(parsedCommands: unknown, cwd: string | undefined): FileTouch[] {
  return objects(parsedCommands)
    .slice(0, FILES_PER_PATCH)
    .flatMap((command: Json) => {
      const file = command.type === 'read' ? (string(command.path) ?? string(command.name)) : undefined
      return file ? [{ path: absolute(file, cwd), action: 'read' as const }] : []
    })
}

/** Against the folder of the turn, in the manner of the machine that wrote it. */
function absolute(file: string, cwd: string | undefined): string {
  if (!cwd || path.posix.isAbsolute(file) || path.win32.isAbsolute(file)) return file
  return cwd.startsWith('/') ? path.posix.join(cwd, file) : path.win32.join(cwd, file)
}
