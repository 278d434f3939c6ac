import { spawn } from 'node:child_process'
import readline from 'node:readline'
import type { Machine } from '../../platform/machine.ts'
import type { Server } from './server.ts'

const PATIENCE_MS = 20_000
const GREETING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'recollect-setup', version: '1' },
  },
}

/**
 * Starts the server as a client will, with hardly any environment, and greets it. Undefined where
 * it answers, else what it said instead.
 */
export async function whatIsWrongWith(
  { command, args, env }: Extract<Server, { transport: 'stdio' }>,
  machine: Machine,
  path: string | undefined,
): Promise<string | undefined> {
  const kept = ['SystemRoot', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMPDIR']
  const bare = Object.fromEntries(kept.map((name) => [name, machine.env[name]]))
  const child = spawn(command, args, { env: { ...bare, HOME: machine.home, PATH: path, ...env } })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000)
  })
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(GREETING)}\n`)
  const timer = setTimeout(() => child.kill(), PATIENCE_MS)
  try {
    const answered = new Promise<undefined>((resolve, reject) => {
      readline.createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.includes('"protocolVersion"')) resolve(undefined)
        else reject(new Error(`It says: ${line.slice(0, 200)}`))
      })
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? new Error(`${command} was not found.`) : error),
      )
      child.on('close', (code) => reject(new Error(complaint.trim() || `It ends with ${code}.`)))
    })
    return await answered.catch((error: Error) => error.message)
  } finally {
    clearTimeout(timer)
    child.kill()
  }
}
