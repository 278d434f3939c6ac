import fs from 'node:fs'
import path from 'node:path'

/** What a server is started with so that it writes down its longest blocks: blocks-hook.mjs tells how. */
export function withBlocks(file: string): { BLOCKS_FILE: string; NODE_OPTIONS: string } {
  fs.writeFileSync(file, '')
  return { BLOCKS_FILE: file, NODE_OPTIONS: `--import ${path.join(import.meta.dirname, 'blocks-hook.mjs')}` }
}

/** The longest of those since a moment, in CPU milliseconds; those under 5 are not counted. */
export function longestBlock(file: string, since: number): number {
  return Math.max(
    0,
    ...fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(' ').map(Number))
      .filter(([when = 0]) => when >= since)
      .map(([, ms = 0]) => ms),
  )
}
