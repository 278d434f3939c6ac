/**
 * What an agent finds that does as it is told: no model, it follows `guidance.nextActions` literally.
 *
 *   node bench/agent-loop.ts [--sets FOLDER [--only NAME,…] [--half even|odd]]
 *
 * Without a folder of sets, over the 60 intents of agent-loop/intents.ts on a mixed archive: the sample's
 * chats among made-up ones. FOLDER as for bench/quality/run.ts. Sizes and thresholds were chosen on the even
 * questions of the sets, counted from 1; the odd ones are for the proof.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Archive } from '../src/archive/archive.ts'
import { capabilities } from '../src/capabilities/index.ts'
import { thisMachine } from '../src/platform/machine.ts'
import type { Service } from '../src/service/service.ts'
import { MOST_CHARACTERS, type Walk, walked } from './agent-loop/agent.ts'
import { archiveOf, type GivenChat, readLines } from './quality/archive-of.ts'

interface GivenQuery {
  scope?: string
  text: string
  goldMessageIds: string[]
  goldChatIds: string[]
}

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    only: { type: 'string' },
    half: { type: 'string' },
    misses: { type: 'boolean' },
  },
})
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-agent-loop-'))
process.once('exit', () => fs.rmSync(temp, { recursive: true, force: true }))
const rows: Record<string, Record<string, number>> = {}
if (values.sets) {
  const only = values.only?.split(',') ?? ['entire-dev', 'locomo-dev']
  for (const name of only) rows[name] = figures(await overSet(path.join(values.sets, name), name))
} else {
  const { overIntents } = await import('./agent-loop/mixed.ts')
  rows.intents = figures(await overIntents(temp, serviceFor, values.misses ?? false))
}
console.table(rows)

async function overSet(folder: string, name: string): Promise<Walk[]> {
  const chats = readLines<GivenChat>(path.join(folder, 'chats.jsonl'))
  const queries = readLines<GivenQuery>(path.join(folder, 'queries.jsonl'))
  const scopes = name.startsWith('entire') ? [undefined] : [...new Set(queries.map(({ scope }) => scope))]
  const walks: Walk[] = []
  let asked = 0
  for (const [i, scope] of scopes.entries()) {
    const within = scope === undefined ? chats : chats.filter((chat) => chat.scope === scope)
    const file = path.join(temp, 'chats.jsonl')
    fs.writeFileSync(file, within.map((chat) => JSON.stringify(chat)).join('\n'))
    const archive = await archiveOf(path.join(temp, `${name}-${i}`), file)
    const service = serviceFor(archive)
    const known = new Map(within.map(({ id, messages }) => [id, [id, ...messages.map((each) => each.id)]]))
    for (const query of queries.filter((each) => scope === undefined || each.scope === scope)) {
      const wanted = { messages: new Set(query.goldMessageIds), chats: new Set(query.goldChatIds) }
      if (wanted.messages.size + wanted.chats.size === 0) continue
      asked++
      if (values.half && values.half !== (asked % 2 === 0 ? 'even' : 'odd')) continue
      walks.push(await walked(service, query.text, wanted, (chat) => idsBegunWith(known, chat)))
    }
    await archive.close()
  }
  return walks
}

/** Of the chat with this id or the only one that begins so: its own id, then its messages'. */
function idsBegunWith(known: Map<string, string[]>, prefix: string): string[] {
  const exact = known.get(prefix)
  if (exact) return exact
  if (prefix.length < 4) return []
  const begun = [...known].filter(([id]) => id.startsWith(prefix))
  return begun.length === 1 ? begun[0]![1] : []
}

function serviceFor(archive: Archive): Service {
  return {
    archive,
    env: {},
    readable: async () => ({ sources: [], machine: thisMachine() }),
    capabilities: async () => capabilities,
    syncing: () => undefined,
  }
}

function figures(walks: Walk[]): Record<string, number> {
  const share = (count: number) => Math.round((count / walks.length) * 1000) / 1000
  const within = (calls: number) => share(walks.filter(({ reached = 9 }) => reached <= calls).length)
  const characters = walks.map((walk) => walk.characters).sort((a, b) => a - b)
  const sum = (of: (walk: Walk) => number) => walks.reduce((all, walk) => all + of(walk), 0)
  return {
    questions: walks.length,
    'in 1 call': within(1),
    'in 2': within(2),
    'in 3': within(3),
    'calls, mean': Math.round((sum(({ calls }) => calls) / walks.length) * 100) / 100,
    'characters, mean': Math.round(sum((walk) => walk.characters) / walks.length),
    'characters, p95': characters[Math.floor(characters.length * 0.95)]!,
    [`over ${MOST_CHARACTERS}`]: walks.filter((walk) => walk.characters > MOST_CHARACTERS).length,
    'wrong turns': sum(({ wrongTurns }) => wrongTurns),
    lost: walks.filter(({ lost }) => lost).length,
  }
}
