import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { machine } from './run-cli.ts'

export const TOKEN = `ghp_${'Zq7Rt2Xw9Lk4Mv6Bn8Cp3Ds5Fg1Hj0AaEeYy'}`
export const PASSWORD = 'kumquat77xylo'

export function line(sessionId: string, n: number, text: string, more: object = {}): string {
  const about = {
    uuid: `${sessionId.slice(0, 24)}${String(n).padStart(12, '0')}`,
    sessionId,
    cwd: '/work/shop',
  }
  return `${JSON.stringify({
    ...{ type: 'user', ...about, timestamp: new Date(Date.UTC(2026, 4, 1, 10, n)).toISOString() },
    ...{ message: { role: 'user', content: text }, ...more },
  })}\n`
}

/** One that names a password and a token, and has the password in its title. */
export function session(me: ReturnType<typeof machine>) {
  const id = randomUUID()
  const file = path.join(me.home, '.claude/projects/shop', `${id}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(
    file,
    line(id, 0, `why is ${PASSWORD} refused by the orchard?`) +
      line(id, 1, `DB_PASSWORD=${PASSWORD}`) +
      line(id, 2, `and the orchard token ${TOKEN} as well`) +
      `${JSON.stringify({ type: 'custom-title', sessionId: id, customTitle: `Orchard ${PASSWORD}` })}\n`,
  )
  return { id, file }
}
