import { dataFolder, pathsOf } from '../../platform/machine.ts'
import { databaseUnit } from '../kiro/places.ts'
import type { Source } from '../source.ts'

/** Amazon Q Developer on the command line, which became Kiro's: one conversation for each folder, the last one. */
export const amazonQ: Source = {
  id: 'amazon-q',
  name: 'Amazon Q Developer CLI',
  evidence: 'writer',
  badge: { letters: 'AQ', colour: 'violet' },
  client: /amazon[ _-]?q|^q[ _-]?cli/i,
  survey: async () => ({ survey: (await import('../kiro/survey.ts')).historySurvey }),
  signs: () => import('./signs.ts'),
  roots: (machine) => [{ path: pathsOf(machine).join(dataFolder(machine), 'amazon-q') }],
  enters: () => false,
  unit: databaseUnit,
  reader: async () => {
    const { readDatabase } = await import('../kiro/family.ts')
    return { read: (unit, from) => readDatabase(unit.path, from, 'amazon-q') }
  },
}
