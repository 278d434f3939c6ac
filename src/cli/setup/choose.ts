import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import type { Machine } from '../../platform/machine.ts'
import { type Client, clients, isFound } from './clients.ts'
import type { Target } from './plan.ts'

/** Clients by their names, of which a beginning will do. */
export function clientsNamed(names: string[]): Client[] {
  return names.map((name) => {
    const exact = clients.find(({ id }) => id === name)
    const close = clients.filter(({ id }) => id.startsWith(name))
    if (exact ?? (close.length === 1 && close[0])) return exact ?? close[0]!
    const known = clients.map(({ id }) => id).join(', ')
    throw new RecollectError(
      'INVALID_ARGUMENT',
      close.length > 1
        ? `"${name}" may be ${close.map(({ id }) => id).join(' or ')}.`
        : `There is no client "${name}".`,
      `Valid values: ${known}.`,
    )
  })
}

/** The files of a client that are for this user: of those that are here, or else the usual one. */
export function userTargets(client: Client, machine: Machine, name: string): Target[] {
  const files = client.files(machine)
  const found = files.filter(isFound)
  const chosen = found.length > 0 ? found : files.slice(0, 1)
  return chosen.map(({ file, label }) => ({ client, file, label, name, shared: false }))
}

export function isHere(client: Client, machine: Machine): boolean {
  return client.files(machine).some(isFound)
}

export function projectTarget(client: Client, folder: string, name: string): Target {
  if (client.project) return { client, file: path.join(folder, client.project), name, shared: true }
  const others = clients.filter(({ project }) => project).map(({ id }) => id)
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `${client.name} has no settings for a project.`,
    `Leave out --project. Such settings have: ${others.join(', ')}.`,
  )
}

/** It becomes part of the tools' names, and a key in three formats. */
export function serverName(given: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(given)) return given
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${given}" cannot be the name of a server.`,
    'A letter, then letters, digits, - and _, 40 at most.',
  )
}
