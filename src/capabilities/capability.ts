import type { z } from 'zod'
import type { Archive } from '../archive/archive.ts'
import type { Machine } from '../platform/machine.ts'
import type { Told } from '../recall/live.ts'
import type { Source } from '../sources/source.ts'

/**
 * One thing that Recollect can do, written once: every face (MCP, REST, VS Code, the command line)
 * offers it by adapting this and adds no logic of its own.
 */
export interface Capability<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** As in the contract: `gather_chats`. */
  name: string
  title: string
  /** For a model that has to choose among tools: what it gives, when to use it. */
  description: string
  /** The set it belongs to, by which a client may choose what it is offered. */
  set: 'recall' | 'search' | 'context' | 'export'
  /** Whether it changes anything outside of the archive. */
  writes: boolean
  input: Input
  output: Output
  handle(deps: Deps, input: z.output<Input>): Promise<z.input<Output>>
}

/** What capabilities work with. */
export interface Deps {
  archive: Archive
  sources: Source[]
  machine: Machine
  caller: Caller
}

/** Who asks, as far as the face knows. */
export interface Caller {
  /** The dialog that the call came from, where the host tells. */
  sessionId?: string
  /** The source id of the assistant that is connected. */
  assistant?: string
  /** The folder the caller works in. */
  workspace?: string
  /** What the host shows of a dialog and has not written to its file yet. */
  shown?: Told
  /** The most characters an answer may have, where the client is known to cut. */
  maxChars?: number
  /** The owner asked to see passwords and keys as they are. */
  reveal?: boolean
}

/** Keeps the types of input and output together. */
export function capability<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Capability<Input, Output>,
): Capability<Input, Output> {
  return definition
}
