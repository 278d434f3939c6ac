import fs from 'node:fs'
import path from 'node:path'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { capabilities } from '../../src/capabilities/index.ts'
import { redact } from '../../src/platform/redact.ts'
import { searchConversations } from '../../src/search/search.ts'
import type { Caller } from '../../src/service/caller.ts'
import { cleanerFor } from '../../src/service/outgoing.ts'
import { call, type Service } from '../../src/service/service.ts'
import { cpuOf, type Figure } from './measured.ts'
import type { Prepared } from './prepared.ts'

const docs = path.join(import.meta.dirname, '..', '..', 'docs')

/** Looking for secrets beside listing the words of the same text. */
export function redactionFigure(): Figure {
  const text = fs
    .readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => fs.readFileSync(path.join(docs, name), 'utf8'))
    .join('\n')
    .slice(0, 300_000)
  return {
    name: 'redaction / listing the words',
    warmUps: 8,
    measure: async () => ({
      plain: await cpuOf(() => text.match(/\b\w+\b/g)),
      ours: await cpuOf(() => redact(text)),
    }),
  }
}

const CALLS = 15

/** A search by an agent through the gate, beside the search itself with the same cleaner. */
export function gateFigure({ archive: folder }: Prepared): Figure {
  let service: Service | undefined
  const caller: Caller = { kind: 'agent', budget: 20_000 }
  return {
    name: 'a search through the gate / the search alone',
    warmUps: 1,
    async measure() {
      const archive = service?.archive ?? openSqliteArchive(folder())
      service ??= {
        archive,
        env: {},
        readable: async () => ({ sources: [], machine: { platform: 'linux', home: '/nowhere', env: {} } }),
        capabilities: async () => capabilities,
        syncing: () => undefined,
      }
      let [plain, ours] = [0, 0]
      for (let turn = 0; turn < CALLS; turn++) {
        const given = { query: `deadlock retry ${turn}` }
        plain += await cpuOf(() =>
          searchConversations(archive, { intent_query: given.query }, cleanerFor(archive, caller)),
        )
        ours += await cpuOf(() => call(service!, 'search_conversations', given, caller))
      }
      return { plain, ours }
    },
  }
}
