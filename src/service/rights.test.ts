import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTS, type Act } from '../capabilities/capability.ts'
import { capabilities } from '../capabilities/index.ts'
import { SCOPES, type Scope } from '../platform/scopes.ts'
import type { CallerKind } from './caller.ts'
import { demand, may, RIGHTS } from './rights.ts'

const KINDS: CallerKind[] = ['owner', 'agent', 'program']

/** What holds, written down once more: `no`, `yes`, or the scope that a token needs. */
const EXPECTED: Record<Act, Record<CallerKind, 'yes' | 'no' | Scope>> = {
  read: { owner: 'yes', agent: 'read', program: 'read' },
  reveal: { owner: 'yes', agent: 'no', program: 'no' },
  'write-context': { owner: 'yes', agent: 'context', program: 'context' },
  'write-memory': { owner: 'yes', agent: 'context', program: 'context' },
  'export-file': { owner: 'yes', agent: 'export', program: 'export' },
  forget: { owner: 'yes', agent: 'no', program: 'no' },
  approve: { owner: 'yes', agent: 'no', program: 'approve' },
  ask: { owner: 'yes', agent: 'no', program: 'ask' },
  configure: { owner: 'yes', agent: 'no', program: 'no' },
}

/** Every set of scopes that a token can have. */
const TOKENS = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_, i) => bits & (1 << i)),
)

test('the table of rights: every act, kind of caller and token', () => {
  for (const act of ACTS) {
    for (const kind of KINDS) {
      for (const scopes of [undefined, ...TOKENS]) {
        const wanted = EXPECTED[act][kind]
        const holds =
          wanted === 'yes' || (wanted !== 'no' && (scopes ? scopes.includes(wanted) : kind === 'agent'))
        const said = `${kind} [${scopes ?? 'no token'}] ${act}`
        assert.equal(may({ kind, scopes }, act), holds, said)
        if (holds) assert.equal(demand({ kind, scopes }, [act]).length, 1, said)
        else assert.throws(() => demand({ kind, scopes }, [act]), { code: 'FORBIDDEN' }, said)
      }
    }
  }
})

test('agents and programs write only inside', () => {
  for (const kind of ['agent', 'program'] as const) {
    for (const act of ['write-context', 'write-memory', 'export-file'] as const)
      assert.equal(RIGHTS[kind][act]?.inside, true, `${kind} ${act}`)
  }
})

test('every capability says what it does', () => {
  for (const { name, acts, also = [] } of capabilities) {
    assert.ok(acts.includes('read'), name)
    for (const act of [...acts, ...also.map((each) => each.act)])
      assert.ok(ACTS.includes(act), `${name}: ${act}`)
  }
})
