import fs from 'node:fs'
import path from 'node:path'

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts']
/** Begun first, so that nothing long is left alone at the end. */
const LONGEST = ['test/disk-faults.test.ts', 'test/kill.test.ts', 'test/migration.test.ts', 'src/hub/']
/** Files of unit tests share a process, unless they change something of it. */
const SHARING = /^(src|bench)\//
const OWN_PROCESS =
  /process\.(env\S* = |chdir|on\(|once\(|exitCode|umask)|delete process\.env|\bmock\.|defineProperty\((process|globalThis)/
/** So many: with more, there is less to be done at the same time. */
const MOST = 12

/** All files of tests: each alone, or with others of its folder, which load the same code. */
export function groupTests(root: string): string[][] {
  const files = fs.globSync(ALL, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files.sort()) {
    const room = file.split('/').slice(0, 2).join('/')
    const own = !SHARING.test(file) || OWN_PROCESS.test(fs.readFileSync(path.join(root, file), 'utf8'))
    const group = own ? undefined : open.get(room)
    if (group && group.length < MOST) group.push(file)
    else {
      groups.push([file])
      if (!own) open.set(room, groups.at(-1)!)
    }
  }
  return groups.sort((a, b) => placeOf(a) - placeOf(b))
}

function placeOf([first = '']: string[]): number {
  const place = LONGEST.findIndex((each) => first.startsWith(each))
  return place < 0 ? LONGEST.length : place
}
