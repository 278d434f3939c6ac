import path from 'node:path'
import { dataFolder, pathsOf } from '../../platform/machine.ts'
import type { Source } from '../source.ts'

/** Copilot in Visual Studio: traces in the format of OpenTelemetry. */
export const visualStudio: Source = {
  id: 'visual-studio',
  name: 'Copilot in Visual Studio',
  evidence: 'described',
  badge: { letters: 'VS', colour: 'violet' },
  client: /visual ?studio(?! code)/i,
  survey: () => import('./survey.ts'),
  signs: () => import('./signs.ts'),
  on: ['win32'],
  roots: (machine) => [
    { path: pathsOf(machine).join(dataFolder(machine), 'Temp', 'VSGitHubCopilotLogs', 'traces') },
  ],
  enters: () => false,
  unit: (file, root) =>
    /^[^/]*_VSGitHubCopilot_traces\.jsonl$/.test(file) || OF_SOLUTION.test(file)
      ? { path: path.join(root.path, ...file.split('/')), growth: 'append' }
      : undefined,
  reader: async () => {
    const { readTraces } = await import('./traces.ts')
    return { read: (unit, from) => readTraces(unit.path, from) }
  },
}

/** Below the `.vs` folder of a solution, which is nowhere listed: for imports. */
const OF_SOLUTION = /^copilot-chat\/[^/]+\/sessions\/[0-9a-f-]{36}$/
