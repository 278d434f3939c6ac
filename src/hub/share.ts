import fs from 'node:fs'
import path from 'node:path'
import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { plainRepository } from '../model/repository.ts'
import { redactHeader } from '../platform/redact-message.ts'
import { gitRemote } from '../sync/git-remote.ts'
import { openSpace } from './home.ts'
import { openLink, writingOf } from './link.ts'
import { takeBackFrom } from './membership.ts'
import { forget } from './push.ts'
import { changeSpace, type HubSettings, type HubSpace, type Share } from './settings.ts'
import { isShared } from './sharing.ts'

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
  const chats = await meant(archive, { ...space, shares: [share] })
  const link = await openSpace(folder, settings, space)
  try {
    for (let from = 0; from < chats.length; from += 1_000)
      await forget({ database: link.database, space, writing }, chats.slice(from, from + 1_000), 'back')
  } finally {
    await link.database.close()
  }
  const isSame = (each: Share) => JSON.stringify(each) === JSON.stringify(share)
  changeSpace(folder, space.name, (now) => ({
    ...now,
    shares: [...now.shares.filter((each) => !isSame(each)), share],
  }))
  await lookAgain(archive, space.name)
}

/** No longer: and what was sent is removed there, unless another share still covers it. */
export async function stopShare(
  archive: Archive,
  folder: string,
  settings: HubSettings,
  space: HubSpace,
  share: Share,
): Promise<number> {
  const isSame = (each: Share) => JSON.stringify(each) === JSON.stringify(share)
  if (!space.shares.some(isSame)) {
    throw new RecollectError('INVALID_ARGUMENT', `This is not shared with "${space.name}".`, sharedNow(space))
  }
  const left = { ...space, shares: space.shares.filter((each) => !isSame(each)) }
  changeSpace(folder, space.name, (now) => ({ ...now, shares: now.shares.filter((each) => !isSame(each)) }))
  try {
    return await takeBackFrom(
      archive,
      folder,
      settings,
      space,
      (chat) => isShared(chat, { ...space, shares: [share] }) && !isShared(chat, left),
    )
  } catch (error) {
    // It is still there: so that it can be stopped once more, it is still shared.
    changeSpace(folder, space.name, (now) => ({
      ...now,
      shares: [...now.shares.filter((each) => !isSame(each)), share],
    }))
    throw error
  }
}

export function shownShare({ all, repository, workspace }: Share): string {
  return all ? 'everything' : (repository ?? workspace ?? '')
}

function sharedNow({ shares }: HubSpace): string {
  return shares.length > 0 ? `Shared are: ${shares.map(shownShare).join(', ')}.` : 'Nothing is.'
}

/** The chats of this machine that a space's shares name. */
async function meant(archive: Archive, space: HubSpace): Promise<ArchivedChat[]> {
  const all = await archive.listChats({ subagents: true }, { limit: Number.MAX_SAFE_INTEGER })
  return all.filter((chat) => chat.origin === undefined && isShared(chat, space))
}

/** All that is there is looked at again for what is shared now. */
async function lookAgain(archive: Archive, name: string): Promise<void> {
  await archive.saveSpace(name)
  const known = (await archive.spaces()).find(({ space }) => space === name)
  if (known?.pushed) await archive.saveSpace(name, { pushed: await archive.fromTheStart(known.pushed) })
}
