import path from 'node:path'
import type { Machine } from '../../platform/machine.ts'
import { object } from '../json.ts'
import { type Retention, settingsIn } from '../retention.ts'

const SETTING = 'general.sessionRetention'
const DEFAULT_DAYS = 30
const DAYS: Record<string, number> = { h: 1 / 24, d: 1, w: 7, m: 30 }

/** Gemini CLI deletes sessions that are older, when it starts; unless it is switched off. */
export function retention({ home, env }: Machine): Retention | undefined {
  const file = path.join(env.GEMINI_CLI_HOME || home, '.gemini', 'settings.json')
  const set = object(object(settingsIn(file).general)?.sessionRetention)
  if (set?.enabled === false) return undefined
  const [, number, unit] = /^(\d+)([hdwm])$/.exec(String(set?.maxAge ?? '')) ?? []
  const isSet = number !== undefined
  return { days: isSet ? Number(number) * DAYS[unit!]! : DEFAULT_DAYS, setting: SETTING, file, isSet }
}
