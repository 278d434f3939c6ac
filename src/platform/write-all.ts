import fs from 'node:fs'

/** Writes all of it: a system that is short of room may take a part, and say only how much. */
export function writeAll(fd: number, given: string | Uint8Array): void {
  const bytes = typeof given === 'string' ? Buffer.from(given) : given
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at, bytes.length - at)
}
