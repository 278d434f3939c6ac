import readline from 'node:readline/promises'
import { type HubSettings, type HubSpace, spaceCalled } from '../hub/settings.ts'
import { shownShare } from '../hub/share.ts'
import { RecollectError } from '../model/errors.ts'
import type { GlobalOptions } from './archive.ts'

export function named(settings: HubSettings, name: string | undefined): HubSpace {
  const own = settings.spaces.find(({ kind }) => kind === 'own')
  return name === 'own' && own ? own : spaceCalled(settings, name)
}

export function shownSpace({ id, name, kind, sealed, answers, shares, key, home }: HubSpace) {
  const facts = { id, name, kind, sealed, answers, shares }
  return { ...facts, ...(sealed && { hasKey: key !== undefined }), ...(home && { home }) }
}

export function saidSpace({ name, kind, sealed, answers, shares, key, home }: HubSpace): string {
  const facts = [
    kind === 'own' ? 'your own' : 'team',
    sealed
      ? key
        ? 'sealed'
        : 'sealed, phrase not entered yet'
      : kind === 'own'
        ? 'no phrase yet'
        : 'whoever runs the server can read it',
    ...(answers ? ['with answers of tools'] : []),
    ...(home ? [`in ${home}`] : []),
  ]
  const what = shares.length > 0 ? `you share ${shares.map(shownShare).join(', ')}` : 'you share nothing'
  return `${name}  (${facts.join('; ')})  ${what}`
}

export async function asked(question: string): Promise<string> {
  if (!process.stdin.isTTY) return ''
  const asking = readline.createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await asking.question(question)).trim()
  } finally {
    asking.close()
  }
}

export async function agreed(question: string, { json }: GlobalOptions): Promise<boolean> {
  if (!process.stdin.isTTY || json) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'Nobody can be asked here.',
      'Pass --yes to do it, or --dry-run to see what would happen.',
    )
  }
  return /^y(es)?$/i.test(await asked(`${question} [y/N] `))
}
