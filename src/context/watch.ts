import fs from 'node:fs'
import path from 'node:path'
import { type Place, realFile } from './place.ts'

/** Changes that come in one go are told once. */
const COALESCE_MS = 150

export interface Watching {
  close(): void
}

/**
 * Tells whenever the context file has changed, appeared or gone, within a second. Its folder is
 * watched and not the file: each write puts a new file in the old one's place. Nothing runs while
 * nothing happens.
 */
export function watchContext(place: Place, onChange: () => void): Watching {
  const behind = linkTarget(place)
  const files = behind && behind !== place.file ? [place.file, behind] : [place.file]
  const stamp = () => files.map(stampOf).join(' ')
  let last = stamp()
  const tellIfChanged = coalesced(() => {
    const now = stamp()
    if (now === last) return
    last = now
    onChange()
  })
  const watchers = files.map((file) => watchFolder(path.dirname(file), [path.basename(file)], tellIfChanged))
  return {
    close() {
      tellIfChanged.cancel()
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** Calls back for events of the named files only, though other files of the folder change too. */
function watchFolder(folder: string, names: string[], onEvent: () => void): fs.FSWatcher {
  const watcher = fs.watch(folder, (_, name) => {
    if (name === null || names.includes(name)) onEvent()
  })
  watcher.on('error', () => watcher.close())
  return watcher
}

interface Coalesced {
  (): void
  cancel(): void
}

function coalesced(action: () => void, wait = COALESCE_MS): Coalesced {
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    timer = undefined
    action()
  }
  const call = () => {
    // Not put off by further events: a file that changes all the time is told of all the time.
    timer ??= setTimeout(run, wait)
  }
  return Object.assign(call, { cancel: () => clearTimeout(timer) })
}

function linkTarget(place: Place): string | undefined {
  try {
    return realFile(place.file, place.workspace, 'READ_ERROR')
  } catch {
    return undefined
  }
}

function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : 'none'
}
