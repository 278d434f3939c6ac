import type { Act } from '../capabilities/capability.ts'
import { RecollectError } from '../model/errors.ts'
import type { Scope } from '../platform/scopes.ts'
import type { Caller, CallerKind } from './caller.ts'

/** Under what condition somebody may do something. */
export interface Right {
  /** Whoever came with a token needs this of it. */
  scope?: Scope
  /** Only in the folders that the client named, or in the archive's `exports/`. */
  inside?: true
}

/** Who may do what. What is missing nobody of the kind may. */
export const RIGHTS: Record<CallerKind, Partial<Record<Act, Right>>> = {
  owner: {
    read: {},
    reveal: {},
    'write-context': {},
    'write-memory': {},
    'export-file': {},
    forget: {},
    approve: {},
    ask: {},
    configure: {},
  },
  agent: {
    read: { scope: 'read' },
    'write-context': { scope: 'context', inside: true },
    'write-memory': { scope: 'context', inside: true },
    'export-file': { scope: 'export', inside: true },
  },
  program: {
    read: { scope: 'read' },
    'write-context': { scope: 'context', inside: true },
    'write-memory': { scope: 'context', inside: true },
    'export-file': { scope: 'export', inside: true },
    approve: { scope: 'approve' },
    ask: { scope: 'ask' },
  },
}

/** The rights by which a caller may do all of this; an error that says which one is missing. */
export function demand(caller: Pick<Caller, 'kind' | 'scopes'>, acts: readonly Act[]): Right[] {
  return acts.map((act) => {
    const right = RIGHTS[caller.kind][act]
    if (!right) throw new RecollectError('FORBIDDEN', NEVER[act], INSTEAD[caller.kind])
    if (right.scope && !hasScope(caller, right.scope)) {
      throw new RecollectError(
        'FORBIDDEN',
        `This token may not ${NAMES[act]}: it lacks the scope \`${right.scope}\`.`,
        `The owner can make one with the scope \`${right.scope}\`, in a terminal or on the page.`,
      )
    }
    return right
  })
}

export function may(caller: Pick<Caller, 'kind' | 'scopes'>, act: Act): boolean {
  const right = RIGHTS[caller.kind][act]
  return right !== undefined && (!right.scope || hasScope(caller, right.scope))
}

/** A program always comes with a token; an agent that this machine started needs none. */
function hasScope({ kind, scopes }: Pick<Caller, 'kind' | 'scopes'>, scope: Scope): boolean {
  return scopes ? scopes.includes(scope) : kind !== 'program'
}

const NAMES: Record<Act, string> = {
  read: 'read chats',
  reveal: 'see passwords and keys',
  'write-context': 'write into a context file',
  'write-memory': "write into an assistant's instructions",
  'export-file': 'write exports to files',
  forget: 'forget chats',
  approve: 'decide on approvals',
  ask: 'ask the agent',
  configure: 'change settings',
}

const NEVER: Record<Act, string> = {
  read: 'Chats are not read here.',
  reveal:
    'Unredacted text goes to its owner only: passwords and keys are never shown to an agent or a token.',
  'write-context': 'Context files are not written here.',
  'write-memory': 'Instructions are not written here.',
  'export-file': 'Files are not written here.',
  forget: 'Only the owner may forget chats.',
  approve: 'Only the owner may decide on approvals.',
  ask: 'An agent may not ask the agent.',
  configure: 'Only the owner may change settings.',
}

const INSTEAD: Record<CallerKind, string | undefined> = {
  owner: undefined,
  agent: 'Ask the user to do it themselves, in the terminal or on the page.',
  program: 'Use the page or the command line.',
}
