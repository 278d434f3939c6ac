import { exchangeOnce } from '../../hub/keep.ts'
import { joinedHub } from '../../hub/settings.ts'
import { shownShare } from '../../hub/share.ts'
import { type HubStatus, hubMembers, hubStatus, type SpaceStatus } from '../../hub/status.ts'
import { archiveFolder, type GlobalOptions, openArchive } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { ago, count } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { paint } from '../paint.ts'
import { countingBar } from '../progress.ts'

export async function status(options: GlobalOptions): Promise<void> {
  const archive = openArchive(options)
  try {
    const found = await hubStatus(archive, archiveFolder(options))
    if (options.json) console.log(JSON.stringify(found))
    else for (const line of saidStatus(found)) console.log(line)
    if (!found.reachable) process.exitCode = EXIT.failed
  } finally {
    await archive.close()
  }
}

function saidStatus({
  address,
  person,
  machine,
  reachable,
  readOnly,
  exchanging,
  trouble,
  spaces,
}: HubStatus): string[] {
  const { red, green, dim } = paint(process.stdout)
  return [
    `${address}  ${reachable ? green(readOnly ? 'answers, read-only' : 'answers') : red('does not answer')}`,
    dim(
      `${person}, on ${machine}; ${exchanging ? `exchanged all the time by process ${exchanging.pid}` : 'exchanged when `recollect hub sync`, `start` or `serve` runs'}`,
    ),
    ...(trouble ? [red(trouble.message), ...(trouble.hint ? [trouble.hint] : [])] : []),
    ...spaces.flatMap((space) => ['', ...saidSpaceStatus(space)]),
  ]
}

function saidSpaceStatus(space: SpaceStatus): string[] {
  const { red, bold } = paint(process.stdout)
  const { waiting, pushedAt, pulledAt, pulledChats, pulledMessages, lag, shares, unreadable, trouble } = space
  return [
    `${bold(space.space)}  ${space.kind}${space.sealed ? ', sealed' : ''}`,
    `  shared    ${shares.length > 0 ? shares.map(shownShare).join(', ') : 'nothing'}`,
    `  pushed    ${ago(pushedAt)}${waiting > 0 ? `, ${count(waiting, 'message')} to look at` : ''}`,
    `  pulled    ${count(pulledMessages, 'message')} in ${count(pulledChats, 'chat')}, ${ago(pulledAt)}${lag ? `, ${lag} behind` : ''}`,
    ...(unreadable > 0
      ? [red(`  ${count(unreadable, 'row')} could not be read: another key, or damage`)]
      : []),
    ...(trouble ? [red(`  ${trouble.message}`), ...(trouble.hint ? [`  ${trouble.hint}`] : [])] : []),
  ]
}

export async function members(options: GlobalOptions): Promise<void> {
  const all = await hubMembers(archiveFolder(options))
  if (options.json) {
    console.log(JSON.stringify({ spaces: all }))
    return
  }
  const { bold, dim } = paint(process.stdout)
  for (const { space, members } of all) {
    console.log(bold(space))
    for (const { name, isYou, machines } of members) {
      console.log(`  ${name}${isYou ? ' (you)' : ''}`)
      for (const { label, seen, behind, version } of machines) {
        const when = seen ? `here ${ago(Date.parse(seen))}` : 'not yet here'
        console.log(
          dim(`    ${label}  ${when}${version ? `, ${version}` : ''}${behind ? `, ${behind} behind` : ''}`),
        )
      }
    }
  }
}

export async function syncNow(options: GlobalOptions): Promise<void> {
  const folder = archiveFolder(options)
  joinedHub(folder)
  const archive = openArchive(options)
  const bar = countingBar()
  const { signal, done } = onInterrupt()
  try {
    const exchanged = await exchangeOnce({
      archive,
      folder,
      signal,
      onProgress: ({ what, done: so, all }) =>
        bar.show(so, Math.max(all ?? so, so), what === 'push' ? 'messages sent' : 'changes received'),
    })
    bar.clear()
    if (options.json) console.log(JSON.stringify({ spaces: exchanged }))
    else
      for (const { space, pushed, pulled, trouble } of exchanged) {
        const what =
          pushed + pulled === 0
            ? 'up to date'
            : `${count(pushed, 'message')} sent, ${pulled.toLocaleString('en-US')} received`
        console.log(`${space}: ${trouble ? trouble.message : what}`)
        if (trouble?.hint) console.log(trouble.hint)
      }
    if (exchanged.some(({ trouble }) => trouble)) process.exitCode = EXIT.failed
  } finally {
    bar.clear()
    done()
    await archive.close()
  }
}
