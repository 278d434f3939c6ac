import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname)
const roo = fixturesOf(import.meta.dirname, 'roo-code')

export const homes = [
  copied('vscode', '.config/Code/User/globalStorage/saoudrizwan.claude-dev'),
  copied('cli', '.cline/data'),
  roo.copied('roo', '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline'),
]
