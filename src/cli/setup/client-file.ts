import type { Machine } from '../../platform/machine.ts'
import type { Shape } from './entry.ts'
import type { Format } from './format.ts'
import type { Server } from './server.ts'

/** A program that agents live in, and where and how it wants to be told of servers. */
export interface Client {
  id: string
  name: string
  format: Format
  /** The key of the file under which servers are listed, or the keys that lead there. */
  list: string | string[]
  /** The user's own settings, the usual one first. */
  files(machine: Machine): ClientFile[]
  /** A project's settings, below its folder. */
  project?: string
  /** Undefined where it cannot reach such a server. */
  shape(server: Server, name: string): Shape | undefined
  /** Its own command for a server over HTTP, where nobody has written down what its file would say of one. */
  addsHttp?: string
  /** What makes it notice, and how a person sees that it did. */
  next: string
  check: string
}

export interface ClientFile {
  file: string
  /** Whose file it is, where a client has several. */
  label?: string
  /** If one of these is there, so is the client. */
  signs: string[]
}

/** Where a client's file has the entry of this name. */
export function placeOf({ list }: Client, name: string): string[] {
  return [list, name].flat()
}
