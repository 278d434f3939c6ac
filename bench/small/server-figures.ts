import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { started } from '../mcp-process.ts'
import type { Figure } from './measured.ts'
import type { Prepared } from './prepared.ts'

const CALLS = 300

/** The MCP server beside a bare `node -e 0`. Linux tells the CPU time of a single thread; elsewhere this is not measured. */
export function serverFigures(small: Prepared): Figure[] {
  if (!fs.existsSync('/proc/self/schedstat')) return []
  const env = () => ({
    PATH: process.env.PATH ?? '',
    HOME: small.home(),
    RECOLLECT_HOME: serverArchive(small),
  })
  const greeted = async (command: string) => {
    const plain = bareNode().workMs
    const server = started(command, env())
    await server.greet()
    const ours = server.served().workMs
    await server.end()
    return { plain, ours }
  }
  return [
    {
      name: 'first answer of the package / bare Node',
      measure: () => greeted(small.package()),
    },
    {
      name: 'first answer of the checkout / bare Node',
      measure: () => greeted(small.checkout),
    },
    {
      name: 'first search after the first answer / bare Node',
      async measure() {
        const plain = bareNode().workMs
        const server = started(small.package(), env())
        await server.greet()
        const before = server.served().workMs
        await server.call('search_conversations', { query: 'deadlock' })
        const ours = server.served().workMs - before
        await server.end()
        return { plain, ours }
      },
    },
    {
      name: `memory after ${CALLS} mixed calls / bare Node`,
      async measure() {
        const plain = bareNode().rssMB
        const server = started(small.package(), env())
        await server.greet()
        for (let turn = 0; turn < CALLS; turn++) await mixed(server, turn)
        const ours = server.rssMB()
        await server.end()
        return { plain, ours }
      },
    },
  ]
}

/** What an agent asks, in turns; the same in bench/mcp.ts. */
export async function mixed(
  { call }: Pick<ReturnType<typeof started>, 'call'>,
  turn: number,
): Promise<string> {
  const words = WORDS[turn % WORDS.length]
  if (turn % 4 === 0) return await call('search_conversations', { query: `${words} ${turn % 13}` })
  if (turn % 4 === 1) return await call('list_chats', { limit: 20 })
  if (turn % 4 === 2) return await call('resolve_ids', { chatIdPrefix: (turn % 16).toString(16) })
  return await call('search_conversations', { query: words, limit: 3 })
}

const WORDS = [
  'deadlock',
  'connection pool',
  'cache header',
  'invoice refund',
  'lease expired',
  'retry the job',
]

/** A copy that a server may keep in step without changing what others measure. */
function serverArchive({ temp, archive }: Prepared): string {
  const folder = path.join(temp, 'server-archive')
  if (!fs.existsSync(folder)) fs.cpSync(archive(), folder, { recursive: true })
  return folder
}

function bareNode(): { workMs: number; rssMB: number } {
  const code = `
    const fs = require('node:fs')
    const workMs = fs.readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0] / 1e6
    process.stdout.write(JSON.stringify({ workMs, rssMB: process.memoryUsage.rss() / 1e6 }))`
  return JSON.parse(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }))
}
