import fs from 'node:fs'
import { runFile } from '../sources/recollect-agent/place.ts'
import { eventsIn, runIds } from './runs.ts'

const MOST_RUNS = 60
const MOST_REQUESTS = 300
/** Of a longer one only the end is looked at. */
const MOST_BYTES = 1024 * 1024

/**
 * What the person asked in earlier sessions, oldest first. It is read from the dialogs themselves, so that
 * what is forgotten is forgotten here too. What programs asked is left out.
 */
export function askedBefore(folder: string): string[] {
  const newest = runIds(folder)
    .flatMap((id) => {
      const stat = fs.statSync(runFile(folder, id), { throwIfNoEntry: false })
      return stat ? [{ id, at: stat.mtimeMs, size: stat.size }] : []
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_RUNS)
  const requests = newest.flatMap(({ id, size }) =>
    eventsIn(endOf(runFile(folder, id), size)).flatMap((event) =>
      event.type === 'request' && !event.unattended && event.text !== ''
        ? [{ at: event.at, text: event.text }]
        : [],
    ),
  )
  const texts = requests.sort((a, b) => a.at - b.at).map(({ text }) => text)
  return texts.filter((text, index) => text !== texts[index - 1]).slice(-MOST_REQUESTS)
}

function endOf(file: string, size: number): string {
  const length = Math.min(size, MOST_BYTES)
  const bytes = Buffer.alloc(length)
  try {
    const fd = fs.openSync(file, 'r')
    try {
      return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, length, size - length))
    } finally {
      fs.closeSync(fd)
    }
  } catch {
    // Erased meanwhile.
    return ''
  }
}
