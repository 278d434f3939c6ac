import fs from 'node:fs'
import type { Closed } from './source.ts'

/** The encrypted files of a folder, if there are any. */
export function closedIn(folder: string, pattern: RegExp, next: string): Closed[] {
  try {
    const files = fs.readdirSync(folder).filter((name) => pattern.test(name)).length
    return files > 0 ? [{ path: folder, files, next }] : []
  } catch {
    return []
  }
}

/** What people are told of it. */
export function closedText(name: string, { path, files }: Pick<Closed, 'path' | 'files'>): string {
  return `${name} keeps chats encrypted in ${path} (${files} ${files === 1 ? 'file' : 'files'}): they cannot be read.`
}
