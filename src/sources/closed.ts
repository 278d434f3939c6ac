import fs from 'node:fs'
import path from 'node:path'
import type { Closed } from './source.ts'

/** What is in a folder and is not read, if there is any. */
export function closedIn(
  folder: string,
  pattern: RegExp,
  next: string,
  how: Closed['how'] = 'encrypted',
): Closed[] {
  const files = namesIn(folder).filter((name) => pattern.test(name)).length
  return files > 0 ? [{ path: folder, files, how, next }] : []
}

/** The folders below a folder, by their names; none where it is not there. */
export function foldersIn(folder: string): string[] {
  return namesIn(folder).map((name) => path.join(folder, name))
}

/** What people are told of it. */
export function closedText(
  name: string,
  { path, files, how }: Pick<Closed, 'path' | 'files' | 'how'>,
): string {
  const many = `(${files} ${files === 1 ? 'file' : 'files'})`
  return how === 'encrypted'
    ? `${name} keeps chats encrypted in ${path} ${many}: they cannot be read.`
    : `${name} has chats in an ${how} in ${path} ${many}: they are not read.`
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}
