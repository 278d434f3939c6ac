import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { RecollectError } from '../model/errors.ts'
import { isDeviceName } from '../platform/device-name.ts'

/** Where a workspace keeps its context file. */
export interface Place {
  workspace: string
  /** Bare: `context.md`. */
  name: string
  /** As people name it; `realFile` is where a link leads. */
  file: string
}

export interface Whereabouts {
  /** Asked for by name: beats everything else. */
  workspace?: string
  env: Record<string, string | undefined>
  /** The first root of a client that offers roots. */
  root?: string
  cwd?: string
}

/** Error codes differ by what was to be done: reading, writing, exporting. */
export type FailureCode = 'READ_ERROR' | 'WRITE_ERROR' | 'EXPORT_ERROR'

export function contextPlace(where: Whereabouts, failure: FailureCode): Place {
  const name = contextFileName(where.env, failure)
  const workspace = workspaceFolder(where, failure)
  return { workspace, name, file: path.join(workspace, name) }
}

/** A device's name is refused everywhere, because a workspace may be shared. A bad name is told at the start of a server as well, by what it is: a setting. */
export function contextFileName(
  { CONTEXT_FILE_NAME: name = '' }: Whereabouts['env'],
  failure: FailureCode | 'INVALID_CONFIG' = 'INVALID_CONFIG',
): string {
  if (name === '') return 'context.md'
  const reason = !isBareName(name)
    ? 'is not a bare file name'
    : isDeviceName(name)
      ? 'is the name of a device on Windows'
      : undefined
  if (reason === undefined) return name
  throw new RecollectError(
    failure,
    `CONTEXT_FILE_NAME is ${JSON.stringify(name.slice(0, 200))}, which ${reason}.`,
    'Set it to a name without folders, such as context.md, or unset it.',
  )
}

export function workspaceFolder(
  { workspace, env, root, cwd = startedIn(env) }: Whereabouts,
  failure: FailureCode | 'INVALID_CONFIG' = 'INVALID_CONFIG',
): string {
  const named = workspace || env.WORKSPACE || root
  if (named) return path.resolve(cwd, namedFolder(named, failure))
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (PROJECT_MARKS.some((mark) => fs.existsSync(path.join(folder, mark)))) return folder
    if (folder === path.dirname(folder)) return cwd
  }
}

const PROJECT_MARKS = ['.git', 'package.json']

/** A folder may be named by its address; one of another machine, or with a bare %, is none. Told at the start of a server as well. */
export function namedFolder(
  named: string,
  failure: FailureCode | 'INVALID_CONFIG' = 'INVALID_CONFIG',
): string {
  if (!named.startsWith('file://')) return named
  try {
    return fileURLToPath(named)
  } catch {
    throw new RecollectError(
      failure,
      `The workspace ${JSON.stringify(named.slice(0, 200))} is not the address of a folder of this machine.`,
      'Name it by its path, such as /home/me/project.',
    )
  }
}

/** Copilot CLI runs a plugin's server in the plugin's own folder: there the shell's folder is the one meant. */
function startedIn({ PLUGIN_ROOT: plugin, PWD: shell }: Whereabouts['env']): string {
  const cwd = process.cwd()
  const isPlugin = plugin !== undefined && fs.existsSync(plugin) && fs.realpathSync(plugin) === cwd
  return isPlugin && shell && path.isAbsolute(shell) ? shell : cwd
}

/** `context.md` keeps its old entries in `context.archive.md`. */
export function archivePlace(place: Place): Place {
  const { name, ext } = path.parse(place.name)
  const archived = `${name}.archive${ext}`
  return { ...place, name: archived, file: path.join(place.workspace, archived) }
}

/**
 * The file behind a name, or undefined where there is none. A link is followed only inside of
 * `within`: a repository must not be able to point our writes at the rest of the machine.
 */
export function realFile(file: string, within: string, failure: FailureCode): string | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat) return undefined
  let real: string
  try {
    real = fs.realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new RecollectError(failure, `${file} is a link to nothing.`, 'Remove the link, or make its target.')
  }
  if (!isInside(real, fs.realpathSync(within))) {
    throw new RecollectError(
      failure,
      `${file} leads outside of the workspace, to ${real}.`,
      'A linked file is used only inside of its workspace. Replace the link with the file itself.',
    )
  }
  if (!fs.statSync(real).isFile()) {
    throw new RecollectError(failure, `${file} is not a file.`, 'Move it away, or set CONTEXT_FILE_NAME.')
  }
  return real
}

export function noContextFile(place: Place, code = 'FILE_NOT_FOUND'): RecollectError {
  return new RecollectError(
    code,
    `There is no ${place.name} in ${place.workspace}.`,
    'Start one with init_context.',
  )
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)
}

/** A colon would name a stream of the file, or a drive, on Windows; a dot at the end is dropped there. */
function isBareName(name: string): boolean {
  return (
    name.length <= 200 &&
    !/[/\\:<>"|?*\u0000-\u001f\u007f]/.test(name) &&
    !/\.$/.test(name) &&
    name.trim() === name
  )
}
