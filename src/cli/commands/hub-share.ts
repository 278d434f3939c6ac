import { hubToLeave, leave } from '../../hub/membership.ts'
import { joinedHub } from '../../hub/settings.ts'
import {
  addShare,
  previewShare,
  type SharePreview,
  shareNamed,
  shownShare,
  stopShare,
} from '../../hub/share.ts'
import { archiveFolder, type GlobalOptions, openArchive } from '../archive.ts'
import { count, dateTime } from '../format.ts'
import { agreed, named } from '../hub-said.ts'
import { oneLine, paint } from '../paint.ts'

interface ShareOptions extends GlobalOptions {
  space?: string
  all?: boolean
  dryRun?: boolean
  stop?: boolean
  yes?: boolean
}

export async function share(what: string | undefined, options: ShareOptions): Promise<void> {
  const folder = archiveFolder(options)
  const settings = joinedHub(folder)
  const space = named(settings, options.space)
  const chosen = shareNamed(what, options.all === true, space)
  const archive = openArchive(options)
  try {
    if (options.stop) {
      const removed = await stopShare(archive, folder, settings, space, chosen)
      if (options.json) console.log(JSON.stringify({ stopped: chosen, space: space.name, removed }))
      else {
        console.log(
          `No longer shared with "${space.name}". ${count(removed, 'chat')} removed there; the others' machines erase them when they next connect.`,
        )
        if (!space.sealed) console.log(REMAINS)
      }
      return
    }
    const preview = await previewShare(archive, settings, space, chosen)
    if (!options.json) for (const line of saidPreview(preview, shownShare(chosen))) console.log(line)
    if (options.dryRun) {
      if (options.json) console.log(JSON.stringify({ ...preview, share: chosen, shared: false }))
      return
    }
    if (!options.yes && !(await agreed('Share it?', options))) {
      console.log('Nothing is shared.')
      return
    }
    await addShare(archive, folder, settings, space, chosen)
    if (options.json) console.log(JSON.stringify({ ...preview, share: chosen, shared: true }))
    else
      console.log(
        'Shared, with what comes from now on. It is sent by `recollect hub sync`, or by itself while `recollect start` or `serve` runs.',
      )
  } finally {
    await archive.close()
  }
}

const REMAINS =
  'Nobody can query it there any more. Until they are overwritten, its bytes remain in the write-ahead log and in backups of the server.'

function saidPreview(preview: SharePreview, what: string): string[] {
  const { space, kind, sealed, readers, chats, messages, from, to, redacted, answers, titles, repository } =
    preview
  const { dim } = paint(process.stdout)
  const who =
    kind === 'own'
      ? 'your own machines'
      : `${readers.length > 0 ? readers.join(', ') : 'nobody else yet'}, and whoever is let in later`
  return [
    `${what} → "${space}"`,
    `  ${count(chats, 'chat')} with ${count(messages, 'message')}${from ? `, ${dateTime(from).slice(0, 10)} to ${dateTime(to).slice(0, 10)}` : ''}`,
    ...titles.map((title) => dim(`    ${oneLine(title).slice(0, 90)}`)),
    ...(chats > titles.length && titles.length === 10 ? [dim('    …')] : []),
    ...(chats === 0
      ? ['    Nothing of it is in your archive yet: `recollect sync` reads what your assistants wrote.']
      : []),
    `  read by    ${who}`,
    sealed
      ? '  server     sees sizes and times only: the space is sealed'
      : '  server     whoever runs it can read it: the space is not sealed',
    ...(kind === 'team'
      ? [
          `  secrets    taken out before it is sent${redacted > 0 ? ` (found in ${count(redacted, 'message')})` : ''}`,
          `  tools      ${answers ? 'with what they answered' : 'only their names, not what they answered'}; images stay here`,
        ]
      : ['  secrets    sent as they are: only your machines can open the space']),
    ...(repository
      ? [dim(`  This folder is a checkout of ${repository}: share that, and other checkouts of it go along.`)]
      : []),
  ]
}

interface LeaveOptions extends GlobalOptions {
  takeBack?: boolean
  yes?: boolean
}

export async function leaveHub(options: LeaveOptions): Promise<void> {
  const folder = archiveFolder(options)
  const archive = openArchive(options)
  try {
    await hubToLeave(archive, folder)
    if (!options.yes && !(await agreed('Leave the hub, and erase here what came from others?', options))) {
      console.log('Nothing was changed.')
      return
    }
    const left = await leave(archive, folder, options)
    if (options.json) console.log(JSON.stringify(left))
    else {
      console.log(`Left. ${count(left.chats, 'chat')} of others erased here; your own archive is as it was.`)
      if (options.takeBack) console.log(`${count(left.takenBack, 'chat')} of yours removed there. ${REMAINS}`)
    }
  } finally {
    await archive.close()
  }
}
