import path from 'node:path'
import type { Machine } from '../../platform/machine.ts'
import { type Retention, settingsIn } from '../retention.ts'
import { roots } from './roots.ts'

const DEFAULT_DAYS = 30
const SETTING = 'cleanupPeriodDays'

/** Claude Code deletes transcripts that were not written to for so long, when it starts. */
export function retention(machine: Machine): Retention {
  const folder = roots(machine)[0]!.path
  const file = path.join(path.dirname(folder), 'settings.json')
  const days = settingsIn(file)[SETTING]
  const isSet = typeof days === 'number' && Number.isFinite(days) && days >= 0
  return { days: isSet ? days : DEFAULT_DAYS, setting: SETTING, file, folder, isSet }
}
