import fs from 'node:fs'
import path from 'node:path'
import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { plainRepository } from '../model/repository.ts'
import { redactHeader } from '../platform/redact-message.ts'
import { gitRemote } from '../sync/git-remote.ts'
import { openSpace } from './home.ts'
import { openLink, writingOf } from './link.ts'
import { forgetAll } from './push.ts'
import {
  changeSpace,
  changingShares,
  type HubSettings,
  type HubSpace,
  joinedHub,
  type Share,
  spaceCalled,
} from './settings.ts'
import { isShared } from './sharing.ts'
import { ownChats, takeBackFrom, withShares } from './take-back.ts'

/** What a person named: a folder, or a repository by its remote. */
export function shareNamed(given: string | undefined, all: boolean, space: HubSpace): Share {
  if (all) {
    if (space.kind === 'own') return { all: true }
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Everything can be shared with an own space only.',
      'Name what a team may see: recollect hub share <folder or repository> --space <team>.',
    )
  }
  if (given === undefined) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Say what to share.',
      'A folder (recollect hub share .) or a repository (recollect hub share github.com/acme/shop).',
    )
  }
  const isFolder = /^[.~/\\]|^[a-z]:[\\/]/i.test(given) || fs.existsSync(given)
  if (isFolder) return { workspace: path.resolve(given) }
  const repository = plainRepository(given)
  if (repository) return { repository }
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${given}" is neither a folder nor the remote of a repository.`,
    'A repository looks like github.com/acme/shop or git@github.com:acme/shop.git.',
  )
}

export interface SharePreview {
  space: string
  kind: HubSpace['kind']
  sealed: boolean
  /** Who else reads the space. */
  readers: string[]
  chats: number
  messages: number
  from?: number
  to?: number
  /** Messages in which a secret was found, which is taken out before a team sees it. */
  redacted: number
  answers: boolean
  titles: string[]
  /** The folder is a checkout of it: naming it instead would share other checkouts too. */
  repository?: string
}

/** What a share would bring to a space, of what is archived now. Nothing is sent. */
export async function previewShare(
  archive: Archive,
  settings: HubSettings,
  space: HubSpace,
  share: Share,
): Promise<SharePreview> {
  const chats = await meant(archive, { ...space, shares: [share] })
  const link = await openLink(settings)
  await link.database.close()
  const readers = link.welcome.people
    .filter((person) => person.id !== link.welcome.person && person.spaces?.includes(space.id))
    .map(({ name }) => name)
  const repository = share.workspace === undefined ? undefined : gitRemote(share.workspace)
  const times = chats.flatMap(({ createdAt, updatedAt }) =>
    [createdAt, updatedAt].filter((at) => at !== undefined),
  )
  const secrets =
    space.kind === 'team' && chats.length > 0
      ? await archive.countSecrets({ chats: chats.map(({ key }) => key) })
      : []
  return {
    ...{ space: space.name, kind: space.kind, sealed: space.sealed, readers, chats: chats.length },
    messages: chats.reduce((sum, chat) => sum + chat.messageCount, 0),
    ...(times.length > 0 && {
      from: times.reduce((a, b) => Math.min(a, b)),
      to: times.reduce((a, b) => Math.max(a, b)),
    }),
    redacted: secrets.reduce((sum, each) => sum + each.messages, 0),
    answers: space.kind === 'own' || space.answers,
    ...(repository && { repository }),
    titles: chats
      .filter(({ subagent }) => !subagent)
      .slice(0, 10)
      .map((chat) => redactHeader({ title: chat.title }, archive.secretsSeen(chat.key)).title),
  }
}

/** From now on: what is archived and what will be. What was taken back before goes again. */
export async function addShare(
  archive: Archive,
  folder: string,
  settings: HubSettings,
  space: HubSpace,
  share: Share,
): Promise<void> {
  const writing = writingOf(space)
  await changingShares(folder, async () => {
    // Of a hub that was left meanwhile, what was taken back stays so.
    joinedHub(folder)
    const chats = await meant(archive, { ...space, shares: [share] })
    const link = await openSpace(folder, settings, space)
    try {
      await forgetAll({ database: link.database, space, writing }, chats, 'back')
    } finally {
      await link.database.close()
    }
    changeSpace(folder, space.name, ({ stopped, ...now }) => {
      const still = without(share, stopped)
      return {
        ...now,
        shares: [...without(share, now.shares), share],
        ...(still.length > 0 && { stopped: still }),
      }
    })
    // Only now: whoever is pushing notices, and finds it shared.
    await archive.pushFromTheStart(space.name)
  })
}

/** No longer: and what was sent is removed there, unless another share still covers it. */
export async function stopShare(
  archive: Archive,
  folder: string,
  settings: HubSettings,
  { name }: HubSpace,
  share: Share,
): Promise<number> {
  return await changingShares(folder, async () => {
    const space = spaceCalled(joinedHub(folder), name)
    const left = { ...space, shares: without(share, space.shares) }
    if (left.shares.length === space.shares.length) {
      throw new RecollectError('INVALID_ARGUMENT', `This is not shared with "${name}".`, sharedNow(space))
    }
    changeSpace(folder, name, (now) => ({ ...now, stopped: [...without(share, now.stopped), share] }))
    return await withShares(
      archive,
      folder,
      (each) => (each.id === space.id ? left.shares : each.shares),
      (now) =>
        takeBackFrom(folder, settings, spaceCalled(now, name), async () =>
          (await meant(archive, { ...space, shares: [share] })).filter((chat) => !isShared(chat, left)),
        ),
    )
  })
}

function without(share: Share, shares: Share[] = []): Share[] {
  return shares.filter((each) => JSON.stringify(each) !== JSON.stringify(share))
}

export function shownShare({ all, repository, workspace }: Share): string {
  return all ? 'everything' : (repository ?? workspace ?? '')
}

function sharedNow({ shares }: HubSpace): string {
  return shares.length > 0 ? `Shared are: ${shares.map(shownShare).join(', ')}.` : 'Nothing is.'
}

/** The chats of this machine that a space's shares name. */
async function meant(archive: Archive, space: HubSpace): Promise<ArchivedChat[]> {
  return (await ownChats(archive)).filter((chat) => isShared(chat, space))
}
