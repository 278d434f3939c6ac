import { spawn } from 'node:child_process'
import path from 'node:path'
import { findProgram, ofWindows } from '../program.ts'

/** Where a system keeps people's passwords. A secret is handed over by standard input: arguments can be seen by others. */
export interface Keychain {
  /** As people know it. */
  name: string
  /** What has to be kept beside, if anything, to get the secret back. */
  keep(account: string, secret: string): Promise<{ sealed?: string }>
  /** Nothing where it is not there, or not given. */
  read(account: string, sealed?: string): Promise<string | undefined>
  remove(account: string): Promise<void>
}

interface System {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
}

const SERVICE = 'recollect'
/** A person may have to unlock it first. */
const PATIENCE_MS = 60_000

/** The keychain of this system; nothing where there is none. `RECOLLECT_KEYCHAIN=off` leaves it alone. */
export function systemKeychain(
  { platform, env }: System = { platform: process.platform, env: process.env },
): Keychain | undefined {
  if (env.RECOLLECT_KEYCHAIN === 'off') return undefined
  if (platform === 'darwin') return program('security', env, ofMac)
  if (platform === 'win32') return windows(env)
  // Without a session there is nobody to ask: `secret-tool` would wait or fail.
  const hasSession = env.DBUS_SESSION_BUS_ADDRESS !== undefined
  return hasSession ? program('secret-tool', env, ofLinux) : undefined
}

type Run = (args: string[], input?: string) => Promise<Outcome>

function program(name: string, env: System['env'], make: (run: Run) => Keychain): Keychain | undefined {
  const file = findProgram(name, { env })
  return file ? make((args, input) => outcomeOf(file, args, env, input)) : undefined
}

function ofLinux(run: Run): Keychain {
  const about = (account: string) => ['service', SERVICE, 'account', account]
  return {
    name: "the system's keyring",
    async keep(account, secret) {
      demand(await run(['store', `--label=Recollect: ${account}`, ...about(account)], secret))
      return {}
    },
    read: async (account) => said(await run(['lookup', ...about(account)])),
    async remove(account) {
      await run(['clear', ...about(account)])
    },
  }
}

/** Its commands can be given by standard input, where a value in hexadecimal needs no quotes. */
function ofMac(run: Run): Keychain {
  return {
    name: 'the macOS keychain',
    async keep(account, secret) {
      const hex = Buffer.from(secret).toString('hex')
      demand(await run(['-i'], `add-generic-password -U -s ${SERVICE} -a ${account} -X ${hex}\n`))
      return {}
    },
    read: async (account) => said(await run(['find-generic-password', '-s', SERVICE, '-a', account, '-w'])),
    async remove(account) {
      await run(['delete-generic-password', '-s', SERVICE, '-a', account])
    },
  }
}

/** Windows seals a secret so that only this user can open it; the sealed text is kept by us. */
function windows(env: System['env']): Keychain {
  const shell = ofWindows(path.join('WindowsPowerShell', 'v1.0', 'powershell.exe'), {
    ...env,
  } as NodeJS.ProcessEnv)
  return sealing((script, input) => {
    return outcomeOf(shell, ['-NoProfile', '-NonInteractive', '-Command', script], env, input)
  })
}

export function sealing(run: (script: string, input: string) => Promise<Outcome>): Keychain {
  return {
    name: 'Windows data protection',
    async keep(_, secret) {
      const sealed = said(await run(SEAL, secret))
      if (!sealed) throw new Error('Windows could not seal it.')
      return { sealed }
    },
    read: async (_, sealed) => (sealed ? said(await run(OPEN, sealed)) : undefined),
    async remove() {},
  }
}

const BEGIN = 'Add-Type -AssemblyName System.Security; $given = [Console]::In.ReadToEnd().Trim(); '
const SEAL = `${BEGIN}[Convert]::ToBase64String([Security.Cryptography.ProtectedData]::Protect([Text.Encoding]::UTF8.GetBytes($given), $null, 'CurrentUser'))`
const OPEN = `${BEGIN}[Text.Encoding]::UTF8.GetString([Security.Cryptography.ProtectedData]::Unprotect([Convert]::FromBase64String($given), $null, 'CurrentUser'))`

export interface Outcome {
  code: number | null
  out: string
  err: string
}

function said({ code, out }: Outcome): string | undefined {
  return code === 0 ? out.trim() || undefined : undefined
}

function demand({ code, err }: Outcome): void {
  if (code !== 0) throw new Error(err.trim().split('\n')[0] || `it ended with ${code}`)
}

function outcomeOf(file: string, args: string[], env: System['env'], input = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      timeout: PATIENCE_MS,
    })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.stdin.on('error', () => {})
    child.on('error', (error) => resolve({ code: null, out, err: error.message }))
    child.on('close', (code) => resolve({ code, out, err }))
    child.stdin.end(input)
  })
}
