import fs from 'node:fs'
import os from 'node:os'
import { parseUrl, shownAddress } from '../../hub/address.ts'
import {
  addSpace,
  type HubThere,
  hubThere,
  invite,
  LEAST_RIGHTS,
  letIn,
  putOut,
  revoke,
  setUp,
} from '../../hub/admin.ts'
import type { Database } from '../../hub/database.ts'
import { written } from '../../hub/invitation.ts'
import { join, setPhrase } from '../../hub/membership.ts'
import { newPhrase, newSeal } from '../../hub/seal.ts'
import {
  changeHub,
  type HubSettings,
  type HubSpace,
  hubFile,
  joinedHub,
  readHub,
  spaceCalled,
} from '../../hub/settings.ts'
import { RecollectError } from '../../model/errors.ts'
import { archiveFolder, type GlobalOptions } from '../archive.ts'
import { tilde } from '../format.ts'
import { asAdmin, connectAsAdmin, tellHomes } from '../hub-admin.ts'
import { asked, named, saidSpace, shownSpace } from '../hub-said.ts'
import { paint } from '../paint.ts'

interface InitOptions extends GlobalOptions {
  name?: string
  machine?: string
  space?: string
  ca?: string
  insecure?: boolean
  phraseFile?: string
}

export async function init(url: string, options: InitOptions): Promise<void> {
  const folder = archiveFolder(options)
  const { address, login } = parseUrl(url, options)
  const database = await connectAsAdmin(address, login)
  const before = readHub(folder)
  const name = before?.person ?? options.name ?? os.userInfo().username
  try {
    const { applied } = await setUp(database, before?.hub)
    const { people, spaces } = await hubThere(database)
    // A hub that has spaces gets another only where that is asked for.
    const isFirst = !before && (spaces.length === 0 || spaces.includes('team'))
    const team = options.space ?? (isFirst ? 'team' : undefined)
    const isNew = team !== undefined && (await addSpace(database, { name: team, kind: 'team' })).isNew
    if (before) {
      changeHub(folder, (now) => ({ ...now, admin: login }))
      if (team !== undefined) await letIn(database, name, team, { push: true, admin: true })
      await tellHomes(database, joinedHub(folder), true)
      const there = await hubThere(database)
      if (options.json)
        console.log(JSON.stringify({ applied, space: team, spaceIsNew: isNew, joined: false, ...there }))
      else {
        console.log(applied > 0 ? 'The hub was brought up to date.' : 'The hub is up to date.')
        console.log(saidHub(there))
      }
      return
    }
    const invitation = await invite(database, address, name, options.machine ?? os.hostname())
    if (team !== undefined) await letIn(database, name, team, { push: true, admin: true })
    await join(invitation, { folder, label: options.machine, admin: login })
    const made = await ownPhrase(folder, name, options)
    if (options.json) {
      console.log(
        JSON.stringify({
          applied,
          space: team,
          spaceIsNew: isNew,
          joined: true,
          person: name,
          ...(made && { phrase: made }),
        }),
      )
      return
    }
    console.log(
      `${applied > 0 ? 'The hub is set up' : 'There is a hub already'} in ${shownAddress(address)}. You are ${name}, and this machine is in it.`,
    )
    console.log(
      `Its login, and yours as the one who runs it, are in ${tilde(hubFile(folder))}, readable for you alone.`,
    )
    if (people.length > 0) console.log(saidHub(await hubThere(database)))
    if (made) tellPhrase(made)
    const shown = team ?? joinedHub(folder).spaces.find(({ kind }) => kind === 'team')?.name
    if (shown === undefined) {
      console.log('\nYou are in none of its spaces yet. Next:\n  recollect hub init <url> --space <name>')
      return
    }
    console.log(
      `\nNothing is shared yet. Next:\n  recollect hub share . --space ${shown}      what that would be, then yes or no\n  recollect hub invite <name> --space ${shown}   for a colleague`,
    )
  } catch (error) {
    if (
      error instanceof RecollectError &&
      error.code === 'HUB_REFUSED' &&
      !error.hint?.includes('CREATEROLE')
    )
      throw new RecollectError(error.code, error.message, `The least it needs: ${LEAST_RIGHTS}`)
    throw error
  } finally {
    await database.close()
  }
}

function saidHub({ people, spaces }: HubThere): string {
  return `In it: ${people.join(', ')}. Spaces of the team: ${spaces.join(', ') || 'none'}.`
}

/** The phrase of the own space: given, or made. Where another machine of the person has it already, it is asked for. */
async function ownPhrase(
  folder: string,
  person: string,
  options: { phraseFile?: string; json?: boolean },
): Promise<string | undefined> {
  const own = joinedHub(folder).spaces.find(({ kind }) => kind === 'own')
  if (!own) return undefined
  const given = givenPhrase(options)
  if (own.sealed) {
    const told = given ?? (await asked(`The key phrase of ${person}'s own space (empty: later): `))
    if (told) await setPhrase(folder, own.name, told)
    else if (!options.json)
      console.log(`Your own space is sealed. Tell this machine its phrase: recollect hub phrase`)
    return undefined
  }
  return (await setPhrase(folder, own.name, given)).made
}

function givenPhrase({ phraseFile }: { phraseFile?: string }): string | undefined {
  if (phraseFile === undefined) return process.env.RECOLLECT_HUB_PHRASE || undefined
  let told: string
  try {
    told = fs.readFileSync(phraseFile, 'utf8').trim()
  } catch (error) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `The key phrase could not be read: ${(error as Error).message}.`,
    )
  }
  // Nothing is no phrase: anybody could open what it seals.
  if (told === '')
    throw new RecollectError('INVALID_ARGUMENT', `${phraseFile} is empty: no key phrase is in it.`)
  return told
}

function tellPhrase(phrase: string): void {
  const { bold } = paint(process.stdout)
  console.log(`\nThe key phrase of your own space:  ${bold(phrase)}`)
  console.log('Write it down: your other machines need it, it is shown only now, and nobody can reset it.')
}

interface InviteOptions extends GlobalOptions {
  space?: string[]
  readOnly?: boolean
  admin?: boolean
  remove?: boolean
  machine?: string
}

export async function inviteSomebody(given: string | undefined, options: InviteOptions): Promise<void> {
  const settings = joinedHub(archiveFolder(options))
  const name = given ?? settings.person
  if (options.remove && given === undefined && !options.machine) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Say whom to remove.',
      'One of your own machines: recollect hub invite --remove --machine <name>. A colleague: recollect hub invite <name> --remove --space <space>.',
    )
  }
  await asAdmin(settings, async (database) => {
    if (options.remove) return await remove(database, settings, name, options)
    for (const space of options.space ?? []) spaceCalled(settings, space)
    const invitation = written(await invite(database, settings.address, name))
    for (const space of options.space ?? [])
      await letIn(database, name, space, { push: !options.readOnly, admin: options.admin })
    await tellHomes(database, settings)
    if (options.json) {
      console.log(JSON.stringify({ person: name, spaces: options.space ?? [], invitation }))
      return
    }
    console.log(
      `For one machine of ${name}${options.space ? `, with ${options.space.join(', ')}` : ''}. Send it on a way you trust:\n`,
    )
    console.log(`  recollect hub join ${invitation}\n`)
    console.log('It can be used once. The key phrase of a sealed space is not in it.')
  })
}

async function remove(
  database: Database,
  settings: HubSettings,
  name: string,
  { space, machine, json }: InviteOptions,
): Promise<void> {
  if (space) {
    await putOut(database, name, space)
    await tellHomes(database, settings)
    if (json) console.log(JSON.stringify({ person: name, out: space }))
    else
      console.log(
        `${name} is out of ${space.join(', ')}. Their machines erase what they had from it when they next connect; what was read cannot be un-read.`,
      )
    return
  }
  const machines = await revoke(database, name, machine)
  await tellHomes(database, settings)
  if (machines.length === 0) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `${name} has no machine${machine ? ` called "${machine}"` : ''} that could be locked out.`,
      'recollect hub members shows who has which.',
    )
  }
  if (json) console.log(JSON.stringify({ person: name, revoked: machines }))
  else console.log(`Locked out: ${machines.join(', ')}.`)
}

interface JoinOptions extends GlobalOptions {
  machine?: string
  phraseFile?: string
}

export async function joinHub(given: string, options: JoinOptions): Promise<void> {
  const folder = archiveFolder(options)
  const invitation = given === '-' ? fs.readFileSync(0, 'utf8') : given
  const welcome = await join(invitation, { folder, label: options.machine })
  const made = await ownPhrase(folder, welcome.name, options)
  const { spaces } = joinedHub(folder)
  if (options.json) {
    console.log(
      JSON.stringify({ person: welcome.name, spaces: spaces.map(shownSpace), ...(made && { phrase: made }) }),
    )
    return
  }
  console.log(`This machine is in the hub, as one of ${welcome.name}'s.`)
  if (made) tellPhrase(made)
  for (const space of spaces) console.log(`  ${saidSpace(space)}`)
  console.log(
    '\nWhat the others share comes with the next `recollect hub sync`, and by itself while `recollect start` or `serve` runs.',
  )
  console.log('You share nothing yet: recollect hub share . --space <name>')
}

interface PhraseOptions extends GlobalOptions {
  space?: string
  phraseFile?: string
}

export async function phrase(options: PhraseOptions): Promise<void> {
  const folder = archiveFolder(options)
  const settings = joinedHub(folder)
  const space = named(settings, options.space ?? 'own')
  const told =
    givenPhrase(options) ??
    (await asked(`The key phrase of "${space.name}"${space.sealed ? '' : ' (empty: one is made)'}: `))
  const { made } = await setPhrase(folder, space.name, told || undefined)
  if (options.json) console.log(JSON.stringify({ space: space.name, ...(made && { phrase: made }) }))
  else if (made) tellPhrase(made)
  else console.log(`This machine can read "${space.name}" now.`)
}

interface SpacesOptions extends GlobalOptions {
  add?: string
  sealed?: boolean
  toolAnswers?: boolean
  phraseFile?: string
}

export async function spaces(options: SpacesOptions): Promise<void> {
  const folder = archiveFolder(options)
  const settings = joinedHub(folder)
  if (options.add !== undefined) return await add(options.add, settings, folder, options)
  if (options.json) console.log(JSON.stringify({ spaces: settings.spaces.map(shownSpace) }))
  else for (const space of settings.spaces) console.log(saidSpace(space))
}

async function add(
  name: string,
  settings: HubSettings,
  folder: string,
  options: SpacesOptions,
): Promise<void> {
  const told = options.sealed ? (givenPhrase(options) ?? newPhrase()) : undefined
  const sealing = told === undefined ? undefined : newSeal(told)
  await asAdmin(settings, async (database) => {
    const { id, isNew } = await addSpace(database, {
      name,
      kind: 'team',
      answers: options.toolAnswers,
      seal: sealing?.seal,
    })
    if (!isNew) throw new RecollectError('INVALID_ARGUMENT', `There is a space called "${name}" already.`)
    await letIn(database, settings.person, name, { push: true, admin: true })
    const space: HubSpace = {
      ...{
        id,
        name,
        kind: 'team',
        sealed: options.sealed === true,
        answers: options.toolAnswers === true,
        shares: [],
      },
      ...(sealing && { key: sealing.key.toString('base64') }),
    }
    changeHub(folder, (now) => ({
      ...now,
      spaces: [...now.spaces.filter((each) => each.id !== id), space],
    }))
    if (options.json) console.log(JSON.stringify({ ...shownSpace(space), ...(told && { phrase: told }) }))
    else {
      console.log(`Made. ${saidSpace(space)}`)
      if (told)
        console.log(
          `Its key phrase, for every member:  ${told}\nIt is shown only now, and nobody can reset it.`,
        )
      console.log(`Let somebody in: recollect hub invite <name> --space ${name}`)
    }
  })
}
