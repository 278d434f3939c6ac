import fs from 'node:fs'

const MOST = 6

/** The processes that this one descends from, the nearest first; beyond the first only where the system tells. */
export function ancestors(): number[] {
  const found: number[] = []
  for (let pid = process.ppid; pid > 1 && found.length < MOST; pid = parentOf(pid)) found.push(pid)
  return found
}

function parentOf(pid: number): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything, spaces and parentheses too.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || 0
  } catch {
    return 0
  }
}
