import { dayOf } from '../../model/day.ts'
import { RecollectError } from '../../model/errors.ts'
import { DEFAULT_SCOPES, isScope, SCOPES, type Scope } from '../../platform/scopes.ts'
import { createToken, listTokens, revokeToken, type TokenEntry } from '../../platform/tokens.ts'
import { archiveFolder, type GlobalOptions } from '../archive.ts'
import { ago } from '../format.ts'
import { oneLine, paint } from '../paint.ts'

interface Options extends GlobalOptions {
  days?: string
  scope?: string[]
  space?: string[]
}

/** `recollect token create|list|revoke`: who may ask over HTTP. */
export async function token([action = '', ...rest]: string[], options: Options): Promise<void> {
  const folder = archiveFolder(options)
  const name = rest.join(' ').trim()
  const print = (value: object, text: string) => console.log(options.json ? JSON.stringify(value) : text)
  switch (action) {
    case 'create': {
      const made = createToken(folder, nameFrom(name), {
        days: daysFrom(options.days),
        scopes: scopesFrom(options.scope),
        spaces: await spacesFrom(options),
      })
      const { dim } = paint(process.stderr)
      print({ token: made.token, ...tokenRow(made.entry) }, made.token)
      if (!options.json) {
        const { scopes, spaces } = made.entry
        const may = spaces ? `reading what came through ${spaces.join(', ')}` : scopes.join(', ')
        process.stderr.write(dim(`Keep it: it is not shown again. It is good for: ${may}.\n`))
      }
      return
    }
    case 'list': {
      const tokens = listTokens(folder)
      print({ tokens: tokens.map(tokenRow) }, tokens.map(line).join('\n') || 'There are no tokens.')
      return
    }
    case 'revoke': {
      const revoked = revokeToken(folder, nameFrom(name))
      print({ revoked: tokenRow(revoked) }, `Revoked: ${revoked.name} (${revoked.id})`)
      return
    }
    default:
      throw new RecollectError(
        'INVALID_ARGUMENT',
        `There is no "recollect token ${action}".`,
        'Valid values: create <name>, list, revoke <name or id>.',
      )
  }
}

function tokenRow({ id, name, scopes, spaces, createdAt, expiresAt }: TokenEntry) {
  return {
    id,
    name,
    scopes,
    ...(spaces && { spaces }),
    createdAt,
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

function line({ id, name, scopes, spaces, createdAt, expiresAt }: TokenEntry): string {
  const until =
    expiresAt === undefined ? '' : expiresAt < Date.now() ? ', expired' : `, valid until ${dayOf(expiresAt)}`
  const may = spaces ? `spaces ${spaces.map(oneLine).join(', ')}` : scopes.join(', ')
  return `${id}  ${oneLine(name)}  ${may}  created ${ago(createdAt)}${until}`
}

function nameFrom(given: string): string {
  if (given !== '' && given.length <= 100) return given
  throw new RecollectError(
    'INVALID_ARGUMENT',
    'A token needs a name.',
    'For example: recollect token create laptop',
  )
}

function daysFrom(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const days = Number(given)
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days
  throw new RecollectError('INVALID_ARGUMENT', `"${given}" is not a number of days.`)
}

/** `--space team`: a person's token, for what came through these spaces of the hub. */
async function spacesFrom(options: Options): Promise<string[] | undefined> {
  const { space: given, scope } = options
  if (given === undefined) return undefined
  if (scope)
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'A token for spaces is good for reading: it takes no --scope.',
    )
  const { joinedHub } = await import('../../hub/settings.ts')
  const known = joinedHub(archiveFolder(options)).spaces.map(({ name }) => name)
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return given
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `There is no space "${unknown}" here.`,
    `There are: ${known.join(', ')}.`,
  )
}

/** `--scope read,context` or `--scope read --scope context`; read and ask where nothing is said. */
function scopesFrom(given: string[] | undefined): Scope[] {
  const words = (given ?? DEFAULT_SCOPES).flatMap((word) => word.split(/[\s,]+/)).filter(Boolean)
  const unknown = words.find((word) => !isScope(word))
  if (unknown === undefined && words.length > 0) return words.filter(isScope)
  throw new RecollectError(
    'INVALID_ARGUMENT',
    unknown === undefined ? 'A token needs a scope.' : `Unknown scope "${unknown}".`,
    `There are: ${SCOPES.join(', ')}.`,
  )
}
