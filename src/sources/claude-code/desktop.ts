import fs from 'node:fs'
import path from 'node:path'
import { list, object, words } from '../json.ts'
import { readJson } from '../lines.ts'

const LONGEST_TITLE = 500
const LONGEST_PATH = 4096

/** What Claude Desktop writes down of a session whose transcript is Claude Code's. */
export interface DesktopSession {
  /** The session as Claude Code calls it, as its transcript does. */
  id: string
  title?: string
  /** The folder that the person chose; the session itself may run in a machine of its own. */
  folder?: string
}

/**
 * Nothing where it is damaged, or where no folder of projects has the transcript: it only adds to what that
 * tells, and may be left of a session that is gone.
 */
export function readDesktopSession(file: string, projects: string[]): DesktopSession | undefined {
  let told: ReturnType<typeof object>
  try {
    told = object(readJson(file))
  } catch {
    return undefined
  }
  const id = words(told?.cliSessionId)
  if (!told || !id || !/^[\w-]{1,200}$/.test(id) || !projects.some((folder) => hasTranscript(folder, id)))
    return undefined
  const folder = words(list(told.userSelectedFolders)[0])?.slice(0, LONGEST_PATH)
  return { id, title: words(told.title)?.trim().slice(0, LONGEST_TITLE), folder }
}

function hasTranscript(projects: string, id: string): boolean {
  try {
    return fs
      .readdirSync(projects)
      .some((folder) => fs.existsSync(path.join(projects, folder, `${id}.jsonl`)))
  } catch {
    return false
  }
}
