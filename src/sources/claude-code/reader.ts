import type { Machine } from '../../platform/machine.ts'
import type { Checkpoint, Found, Unit } from '../source.ts'
import { readDesktopSession, readTranscript } from './family.ts'
import { roots } from './roots.ts'

export function* read(unit: Unit, from: Checkpoint | undefined, machine: Machine): Generator<Found> {
  if (unit.growth === 'append') yield* readTranscript(unit, from)
  else {
    const projects = roots(machine).map((root) => root.path)
    const session = readDesktopSession(unit.path, projects)
    if (session?.title) yield { chat: { source: 'claude-code', id: session.id, title: session.title } }
  }
}
