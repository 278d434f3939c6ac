import fs from 'node:fs'
import path from 'node:path'
import type { Archive } from '../../src/archive/archive.ts'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import type { Service } from '../../src/service/service.ts'
import { sources } from '../../src/sources/index.ts'
import { syncOnce } from '../../src/sync/once.ts'
import { writeCorpus } from '../corpus.ts'
import { type Walk, walked } from './agent.ts'
import { INTENTS } from './intents.ts'

/** Made-up messages beside the sample's. */
const MESSAGES = 6_000
const SAMPLE = path.join(import.meta.dirname, '..', '..', 'sample')

/** The intents, each by an agent that follows guidance, on the sample among thousands of made-up messages. */
export async function overIntents(
  temp: string,
  serviceFor: (archive: Archive) => Service,
  tellsMisses: boolean,
): Promise<Walk[]> {
  const home = path.join(temp, 'home')
  writeCorpus(home, { messages: MESSAGES, seed: 7 })
  fs.cpSync(SAMPLE, home, { recursive: true })
  const archive = openSqliteArchive(path.join(temp, 'mixed'))
  await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
  const known = new Map<string, string[]>()
  for (const chat of await archive.listChats({ subagents: true }, { limit: 100_000 }))
    known.set(chat.id, [chat.id, ...Array.from({ length: chat.messageCount }, (_, i) => `${chat.id}#${i}`)])
  const messagesOf = (prefix: string) =>
    prefix.length < 4 ? [] : ([...known].find(([id]) => id.startsWith(prefix))?.[1] ?? [])
  const walks: Walk[] = []
  for (const [chat, ...queries] of INTENTS) {
    const wanted = { messages: new Set<string>(), chats: new Set([messagesOf(chat)[0]!]) }
    for (const query of queries) {
      const walk = await walked(serviceFor(archive), query, wanted, messagesOf)
      if (tellsMisses && walk.reached !== 1) console.log(query, walk)
      walks.push(walk)
    }
  }
  await archive.close()
  return walks
}
