import { tilde } from '../format.ts'
import { pad, paint, printable } from '../paint.ts'
import { clients } from './clients.ts'
import { versionFolder } from './lasting.ts'
import type { Outcome, SetupOptions } from './outcome.ts'
import { diffOf, type Plan, type Target } from './plan.ts'
import { type Server, TOKEN_VARIABLE } from './server.ts'

export function title({ client, label }: Target): string {
  return label ? `${client.name} (${label})` : client.name
}

export function listClients(outcomes: Outcome[], { remove, project }: SetupOptions): void {
  if (outcomes.length === 0) {
    console.log('No client was found on this machine.')
    console.log(`Name one to set it up all the same: ${clients.map(({ id }) => id).join(', ')}.`)
    return
  }
  const { green, yellow, red, dim } = paint(process.stdout)
  console.log(project ? 'Clients, and their settings for this project:' : 'Clients on this machine:')
  for (const [index, { target, plan, error }] of outcomes.entries()) {
    const state = plan?.state ?? 'cannot be changed'
    const colour = error ? red : plan?.action === 'none' ? (remove ? dim : green) : yellow
    const number = String(index + 1).padStart(3)
    console.log(`${number}  ${pad(title(target), 24)} ${colour(pad(state, 20))} ${dim(tilde(target.file))}`)
  }
}

export function colouredDiff(plan: Plan): string {
  const { green, red, cyan } = paint(process.stdout)
  const colours = new Map([
    ['+', green],
    ['-', red],
    ['@', cyan],
  ])
  return diffOf(plan)
    .trimEnd()
    .split('\n')
    .map((line) => (colours.get(line[0] ?? '') ?? String)(printable(line)))
    .join('\n')
}

export function nextSteps({ client, shared, name }: Target, server: Server): string[] {
  const lines = [`Next: ${client.next}`, `Check: ${client.check}`]
  if (server.transport === 'http' && server.token) {
    lines.push(
      JSON.stringify(client.shape(server, name)).includes(TOKEN_VARIABLE)
        ? `Token: where it is started from, ${TOKEN_VARIABLE} must hold one of \`recollect token create\`.`
        : 'Token: it knows no variables; add the header "Authorization: Bearer <token>" by hand.',
    )
  }
  if (shared) lines.push('Others can use this file too: each needs `recollect` on their PATH.')
  return lines
}

/** Where nothing that lasts leads to Node or to us, the person must know when to come back. */
export function versionNote(server: Server): string | undefined {
  if (server.transport !== 'stdio') return undefined
  const folder = versionFolder([server.command, ...server.args])
  return (
    folder &&
    `What clients start is in the folder of one version, ${tilde(folder)}: before you remove that version, run \`recollect setup\` with another.`
  )
}

/** The command that does what was only shown. */
export function howToWrite(outcomes: Outcome[], names: string[], options: SetupOptions): string {
  const { sample, remove, project, name, http, token, tools } = options
  const ids = new Set(outcomes.filter(isOpen).map(({ target }) => target.client.id))
  const flags = [
    remove && '--remove',
    project && '--project',
    tools && `--tools ${tools}`,
    http && `--http ${http}`,
    token === false && '--no-token',
    name && name !== 'recollect' && `--name ${name}`,
  ]
  const words = [sample && '--sample', 'setup', ...(names.length > 0 ? names : ids), ...flags, '--yes']
  return ['recollect', ...words.filter(Boolean)].join(' ')
}

/** Something is to be done, or cannot be. */
export function isOpen({ plan }: Outcome): boolean {
  return plan?.action !== 'none'
}

export function summary(outcomes: Outcome[], server: Server | undefined) {
  const note = server && versionNote(server)
  return {
    server,
    ...(note && { note }),
    clients: outcomes.map(({ target, plan, written = false, backup, error }) => ({
      client: target.client.id,
      name: title(target),
      file: target.file,
      state: plan?.state ?? 'unknown',
      action: plan?.action ?? 'none',
      written,
      ...(plan && plan.action !== 'none' && { diff: diffOf(plan).trimEnd() }),
      ...(backup && { backup }),
      ...(written && { next: target.client.next, check: target.client.check }),
      ...(error && {
        error: { code: error.code, message: error.message, hint: error.hint, ...error.details },
      }),
    })),
  }
}
