import { exchangeOnce } from '../../hub/keep.ts'
import { joinedHub } from '../../hub/settings.ts'
import { shownShare } from '../../hub/share.ts'
import { type Counted, type HubStatus, hubMembers, hubStatus, type SpaceStatus } from '../../hub/status.ts'
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

/** To connect and say hello takes some milliseconds. */
const SLOW_MS = 1_000

function saidStatus({
  address,
  person,
  machine,
  reachable,
  answeredMs,
  readOnly,
  exchanging,
  trouble,
  spaces,
}: HubStatus): string[] {
  const { red, green, dim } = paint(process.stdout)
  const answers = [
    answeredMs !== undefined && answeredMs >= SLOW_MS
      ? `answers slowly (${(answeredMs / 1000).toFixed(1)} s)`
      : 'answers',
    ...(readOnly ? ['read-only'] : []),
  ].join(', ')
  return [
    `${address}  ${reachable ? green(answers) : red('does not answer')}`,
    dim(
      `${person}, on ${machine}; ${exchanging ? `exchanged all the time by process ${exchanging.pid}` : 'exchanged when `recollect hub sync`, `start` or `serve` runs'}`,
    ),
    ...(trouble ? [red(trouble.message), ...(trouble.hint ? [trouble.hint] : [])] : []),
    ...spaces.flatMap((space) => ['', ...saidSpaceStatus(space)]),
  ]
}

function saidSpaceStatus(space: SpaceStatus): string[] {
  const { red, bold } = paint(process.stdout)
  const {
    sending,
    receiving,
    waiting,
    pushedAt,
    pulledAt,
    pulledChats,
    pulledMessages,
    lag,
    shares,
    unreadable,
    trouble,
  } = space
  return [
    `${bold(space.space)}  ${space.kind}${space.sealed ? ', sealed' : ''}${space.home ? `, in ${space.home}` : ''}`,
    `  shared    ${shares.length > 0 ? shares.map(shownShare).join(', ') : 'nothing'}`,
    `  pushed    ${ago(pushedAt)}${waiting > 0 ? `, ${count(waiting, 'message')} to look at${percent(sending)}` : ''}`,
    `  pulled    ${count(pulledMessages, 'message')} in ${count(pulledChats, 'chat')}, ${ago(pulledAt)}${lag ? `, ${lag.toLocaleString('en-US')} behind${percent(receiving)}` : ''}`,
    ...(unreadable > 0
      ? [red(`  ${count(unreadable, 'row')} could not be read: another key, or damage`)]
      : []),
    ...(trouble ? [red(`  ${trouble.message}`), ...(trouble.hint ? [`  ${trouble.hint}`] : [])] : []),
  ]
}

function percent(progress: Counted | undefined): string {
  return progress ? ` (${Math.floor((100 * progress.done) / Math.max(1, progress.all))} % done)` : ''
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
