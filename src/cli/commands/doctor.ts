import fs from 'node:fs'
import path from 'node:path'
import type { ArchivedProblem } from '../../archive/archive.ts'
import { RecollectError } from '../../model/errors.ts'
import { closedText } from '../../sources/closed.ts'
import { sources } from '../../sources/index.ts'
import { archiveFolder, type GlobalOptions, machineOf, withArchive } from '../archive.ts'
import { readerOf } from '../call.ts'
import { EXIT } from '../errors.ts'
import { count, tilde } from '../format.ts'
import { oneLine, paint } from '../paint.ts'
import { countingBar } from '../progress.ts'
import { showUnknown, stillUnknown } from '../unknown.ts'

const REPAIR = '`recollect repair` saves all that can be read, and keeps this archive beside it.'

interface Finding {
  what: string
  next: string
}

interface Options extends GlobalOptions {
  deep?: boolean
}

export async function doctor(options: Options): Promise<void> {
  try {
    await examine(options)
  } catch (error) {
    if (!(error instanceof RecollectError) || error.code !== 'ARCHIVE_DAMAGED') throw error
    // So damaged that not even what is wrong with it can be asked: that is what was found.
    const findings = [{ what: error.message, next: REPAIR }]
    if (options.json)
      console.log(JSON.stringify({ healthy: false, findings, problems: [], unknown: [], closed: [] }))
    else reportFindings(findings)
    process.exitCode = EXIT.failed
  }
}

async function examine(options: Options): Promise<void> {
  await withArchive(options, async (archive) => {
    const reader = readerOf(archive, options)
    const problems = await reader.problems()
    const unknown = await stillUnknown(reader)
    const bar = countingBar()
    const damage = await archive.check({
      deep: options.deep,
      onProgress: ({ done, all, what }) => bar.show(done, all, `checks, now ${what}`),
    })
    bar.clear()
    const findings = [
      ...permissionFindings(archiveFolder(options)),
      ...unreadableRoots(options),
      ...damage.map((what) => ({
        what: `The archive is damaged: ${what}`,
        next: REPAIR,
      })),
    ]
    const closed = closedStores(options)
    if (options.json)
      console.log(JSON.stringify({ healthy: findings.length === 0, findings, problems, unknown, closed }))
    else {
      report(findings, problems)
      for (const { what, next } of closed)
        console.log(`${paint(process.stdout).yellow('!')} ${what}\n  ${next}`)
      showUnknown(unknown)
    }
    if (findings.length > 0) process.exitCode = EXIT.failed
  })
}

function reportFindings(findings: Finding[]): void {
  const { red } = paint(process.stdout)
  for (const { what, next } of findings) console.log(`${red('✗')} ${what}\n  ${next}`)
}

function report(findings: Finding[], problems: ArchivedProblem[]): void {
  const { bold, dim, green, yellow } = paint(process.stdout)
  reportFindings(findings)
  // On Windows the folder of the person's profile keeps others out; nothing here checked that.
  const isPrivate = process.platform === 'win32' ? '' : ' and private'
  if (findings.length === 0) console.log(`${green('✓')} The archive is sound${isPrivate}.`)
  if (problems.length === 0) {
    console.log(`${green('✓')} Every record was read.`)
    return
  }
  console.log(
    yellow(
      `! ${count(problems.length, 'record')} could not be read and ${problems.length === 1 ? 'was' : 'were'} skipped:`,
    ),
  )
  for (const [file, list] of Object.entries(Object.groupBy(problems, (problem) => problem.path))) {
    console.log(bold(`  ${tilde(file)}`))
    for (const { offset, reason } of list!.slice(0, 20)) {
      console.log(`    ${offset === undefined ? '' : dim(`byte ${offset}: `)}${oneLine(reason)}`)
    }
    if (list!.length > 20) console.log(dim(`    … and ${list!.length - 20} more (--json lists them)`))
  }
}

function permissionFindings(folder: string): Finding[] {
  if (process.platform === 'win32') return []
  return [
    folder,
    ...['archive.db', 'archive.db-wal', 'archive.db-shm'].map((name) => path.join(folder, name)),
  ].flatMap((file) => {
    const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & 0o077) === 0) return []
    return { what: `Others on this machine can read ${tilde(file)}.`, next: `Run: chmod go-rwx '${file}'` }
  })
}

/** Nothing is wrong with what is encrypted; but it must not be missed in silence. */
function closedStores(options: GlobalOptions): Finding[] {
  const machine = machineOf(options)
  return sources.flatMap((source) =>
    (source.closed?.(machine) ?? []).map((closed) => ({
      what: closedText(source.name, { ...closed, path: tilde(closed.path) }),
      next: closed.next,
    })),
  )
}

function unreadableRoots(options: GlobalOptions): Finding[] {
  const machine = machineOf(options)
  return sources.flatMap((source) =>
    source.roots(machine).flatMap((root) => {
      try {
        fs.readdirSync(root.path)
        return []
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT' || code === 'ENOTDIR') return []
        return {
          what: `${source.name}: ${tilde(root.path)} cannot be read (${code}).`,
          next: 'Grant yourself read access to that folder.',
        }
      }
    }),
  )
}
