import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts']
/** Begun first, so that nothing long is left alone at the end. */
const LONGEST = ['test/disk-faults.test.ts', 'test/kill.test.ts', 'src/hub/', 'test/migration.test.ts']
/** Files share a process, unless they change something of it, or look at all of it. */
const OWN_PROCESS =
  /process\.(env\S* = |chdir|on\(|once\(|exitCode|umask)|delete process\.env|\bmock\.|defineProperty\((process|globalThis)|getActiveResourcesInfo/
/** So many: with more, there is less to be done at the same time. Those of `test` start programs, and wait for them. */
const MOST = { unit: 12, program: 4 }

/** Every file of tests but those of packages: some are installed below test. */
export function allTests(root: string): string[] {
  const isOther = (file: string) => file.split(/[\\/]/).includes('node_modules')
  return fs.globSync(ALL, { cwd: root, exclude: isOther }).filter((file) => !isOther(file))
}

/** Files of tests, each alone or with others of its folder, which load the same code. */
export function groupTests(root: string, files: string[]): string[][] {
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files.map((each) => each.replaceAll('\\', '/')).sort()) {
    const isUnit = !file.startsWith('test/')
    const room = isUnit ? file.split('/').slice(0, 2).join('/') : path.posix.dirname(file)
    const own = isLong(file) || OWN_PROCESS.test(fs.readFileSync(path.join(root, file), 'utf8'))
    const group = own ? undefined : open.get(room)
    if (group && group.length < (isUnit ? MOST.unit : MOST.program)) group.push(file)
    else {
      groups.push([file])
      if (!own) open.set(room, groups.at(-1)!)
    }
  }
  return groups.sort((a, b) => placeOf(a) - placeOf(b))
}

function isLong(file: string): boolean {
  return LONGEST.includes(file)
}

function placeOf([first = '']: string[]): number {
  const place = LONGEST.findIndex((each) => first.startsWith(each))
  return place < 0 ? LONGEST.length : place
}

/**
 * A file for each group that runs those in it, each as a suite of its own, so that what one does before each test is not
 * done to others'. `node --test` begins them in the order of their names.
 */
export function writeGroups(root: string, groups: string[][], folder: string): string[] {
  fs.mkdirSync(folder, { recursive: true })
  return groups.map((files, at) => {
    const loads = files.map((file) => `await import(${JSON.stringify(urlOf(root, file))})`)
    const suites = files.map(
      (file, n) => `await describe(${JSON.stringify(file)}, async () => { ${loads[n]} })`,
    )
    const lines = files.length === 1 ? loads : ["import { describe } from 'node:test'", ...suites]
    const name = path.join(folder, `${String(at).padStart(3, '0')}.test.mjs`)
    fs.writeFileSync(name, `${lines.join('\n')}\n`)
    return name
  })
}

function urlOf(root: string, file: string): string {
  return pathToFileURL(path.join(root, file)).href
}
