import type { z } from 'zod'
import type { Clean } from '../model/clean.ts'
import type { Asker } from '../recall/live.ts'

/** What a call does, as far as it matters who may do it. */
export const ACTS = [
  'read',
  'reveal',
  'write-context',
  'write-memory',
  'export-file',
  'forget',
  'approve',
  'ask',
  'configure',
] as const
export type Act = (typeof ACTS)[number]

/**
 * One thing that Recollect can do, written once: every face (MCP, REST, VS Code, the command line)
 * offers it through the gate (service/) and adds no logic of its own.
 */
export interface Capability<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends string = string,
> {
  /** As in the contract: `gather_chats`. */
  name: Name
  title: string
  /** For a model that has to choose among tools: what it gives, when to use it. */
  description: string
  /** The set it belongs to, by which a client may choose what it is offered. */
  set: 'recall' | 'search' | 'context' | 'export'
  /** For our own faces: not offered to models and programs. */
  internal?: true
  /** What every call of it does. */
  acts: readonly Act[]
  /** What a call does besides, by its input. */
  also?: readonly { act: Act; when(input: z.output<Input>): boolean }[]
  input: Input
  output: Output
  /** Parts of an answer that a model is told before anything else, and on every page of a long one. */
  first?: readonly string[]
  /** The answer as a model gets it where it did not ask for another size. */
  brief?: Brief<z.output<Input>, z.input<Output>>
  /** It, or a call with this input, asks the archive and nothing else: the assistants' formats need not be loaded for it. */
  archiveOnly?: true | ((input: z.output<Input>) => boolean)
  /** Whether a call may take longer than some 20 ms: others are not to wait for it. */
  long?(input: z.output<Input>, archive: Size): Long | Promise<Long>
  handle(deps: Deps, input: z.output<Input>): Promise<z.input<Output>>
}

/** `waits`: it mostly waits for something else. */
type Long = boolean | 'waits'

/** How much there is in an archive. */
interface Size {
  chats: number
  messages: number
  /** Messages of a chat, by any of its names; none where it is not known. */
  messagesOf(chat: string): Promise<number>
}

/** So many messages are read in some 20 ms. */
export const MANY_MESSAGES = 300
/** For this many chats, files are looked at for so long. */
export const MANY_CHATS = 500
/** The rows of so many are looked at in as much time. */
export const MANY_ROWS = 5_000
/** So many messages are read in as much time where few of them are told. */
const LONG_CHAT = 1_500

/** Whether reading one chat takes long, which it does from so many messages on. */
export async function longChat(chat: unknown, { chats, messagesOf }: Size, most = LONG_CHAT): Promise<Long> {
  // Which chat asks shows in the assistants' files, where it may be written a moment later.
  if (chat === 'current') return chats > MANY_CHATS && 'waits'
  return (await messagesOf(String(chat))) > most
}

interface Brief<Input, Output> {
  /** Characters of JSON, where none are asked for. */
  chars: number
  /** Arguments by which other sizes are asked for. */
  sizes: readonly string[]
  of(
    deps: Pick<Deps, 'archive'>,
    input: Input,
    answer: Output,
    options: { room: number; isSized: boolean },
  ): Promise<object>
}

/** What capabilities work with. */
export interface Deps extends Asker {
  /** Takes secrets out. Whatever is cut goes through it first: half a secret is not known for one. */
  clean: Clean
  /** The most characters of JSON that the answer may have. */
  room: number
  /** Is told how far long work has come. */
  progress?: (done: number, of: number) => void
}

export type { Clean } from '../model/clean.ts'

/** A capability as it is written down: its schemas are made when they are first asked for. */
type Written<Input extends z.ZodType, Output extends z.ZodType, Name extends string> = Omit<
  Capability<Input, Output, Name>,
  'input' | 'output'
> & { input(): Input; output(): Output }

/** Keeps the types of input and output together. Nobody waits for the schemas of what is not called. */
export function capability<Input extends z.ZodType, Output extends z.ZodType, const Name extends string>({
  input: makeInput,
  output: makeOutput,
  ...rest
}: Written<Input, Output, Name>): Capability<Input, Output, Name> {
  let input: Input | undefined
  let output: Output | undefined
  return {
    ...rest,
    get input() {
      input ??= makeInput()
      return input
    },
    get output() {
      output ??= makeOutput()
      return output
    },
  }
}

/** What a call with this input does. */
export function actsOf<Input extends z.ZodType>(
  { acts, also = [] }: Capability<Input>,
  input: z.output<Input>,
): Act[] {
  return [...acts, ...also.filter(({ when }) => when(input)).map(({ act }) => act)]
}

const WRITING: ReadonlySet<Act> = new Set(['write-context', 'write-memory', 'export-file'])

/** Whether it may change anything outside of the archive. */
export function writes({ acts, also = [] }: Pick<Capability, 'acts' | 'also'>): boolean {
  return acts.some((act) => WRITING.has(act)) || also.some(({ act }) => WRITING.has(act))
}
