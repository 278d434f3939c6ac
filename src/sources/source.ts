import type { Chat, Message } from '../model/chat.ts'
import type { Machine } from '../platform/machine.ts'
import type { Retention } from './retention.ts'
import type { Revivable, RevivedFile } from './revived.ts'
import type { Sign } from './sign.ts'

/**
 * How one assistant keeps its chats. A source is a pure reader: it says where to look and turns
 * files into chats and messages. It never writes, and knows nothing of the archive.
 */
export interface Source {
  /** Short and stable: stored with every chat, typed by people. */
  id: string
  /** As people call it. */
  name: string
  /** What its format is known from. */
  evidence: Evidence
  /** The systems that it runs on, where not on all: elsewhere its places are not named. */
  on?: NodeJS.Platform[]
  /** Its page in docs/sources, where that is not called by its id. */
  page?: string
  /** Two letters and a colour, for lists. */
  badge: Badge
  /** What it calls itself when it connects to an MCP server. */
  client?: RegExp
  /** Every folder this assistant may use on this machine, whether it is there or not. */
  roots(machine: Machine): Root[]
  /** Whether the walk below a root enters this folder. Paths are relative to the root, with `/`. */
  enters(folder: string, root: Root): boolean
  /**
   * The unit that a file belongs to, or nothing. Also called with one changed path in watch mode,
   * so it must decide from the path alone, without touching the disk. A side file (a title kept
   * beside the transcript) answers with the unit of its main file.
   */
  unit(file: string, root: Root): Unit | undefined
  /** The units that stand in for this one: looked at again after it, whenever it changes. */
  standIns?(unit: Unit): Unit[]
  /** Turns its files into chats. Loaded when one is there to be read: nobody has all assistants. */
  reader(): Promise<Reader>
  /** How a call of one of our tools is traced to the dialog that it came from. */
  calls?: CallTraces
  /** Counts what its files hold without its reader. Loaded only where something is counted. */
  survey(): Promise<{ survey: Survey }>
  /** How long it keeps chats, where it deletes them by itself. */
  retention?(machine: Machine): Retention | undefined
  /** A chat in its own format, so that it can be resumed there: what would be written, and where. Nothing is. */
  revive?(): Promise<{ SESSION: RegExp; revive(chat: Revivable, machine: Machine): RevivedFile[] }>
  /** How its files are told wherever they lie. Loaded only where something is imported. */
  signs?(): Promise<{ signs: Sign[] }>
  /** What it keeps on this machine in a way that nobody else can read. Only looked for when somebody asks. */
  closed?(machine: Machine): Closed[]
}

export interface Reader {
  /**
   * The chats and messages of a unit. With `from`, only what came after that checkpoint; the same
   * message may be told again (same id) with more in it. Bad records are reported and skipped.
   */
  read(unit: Unit, from: Checkpoint | undefined, machine: Machine): Iterable<Found>
}

/** A folder of chats that are encrypted, or kept in a way that is not read. */
export interface Closed {
  path: string
  files: number
  how: 'encrypted' | 'older format' | 'undocumented format'
  /** What the person can do instead. */
  next: string
}

/**
 * `seen`: files that the assistant wrote were read. `writer`: what writes them was read. `described`:
 * only what others say about them is known.
 */
export type Evidence = 'seen' | 'writer' | 'described'

/** What people are told of it. */
export const EVIDENCE: Record<Evidence, string> = {
  seen: 'files that it wrote were seen',
  writer: 'known from the source of what writes it; no file of it was seen',
  described: 'known from descriptions only; no file of it was seen',
}

export interface Badge {
  letters: string
  colour: 'accent' | 'blue' | 'green' | 'grey' | 'orange' | 'pink' | 'sky' | 'slate' | 'teal' | 'violet'
}

export interface Root {
  path: string
  /** Which product or place this is, where a source has several: `Code - Insiders`, `legacy`. */
  label?: string
  /** Too wide to be watched, like a home folder: it is looked at once a minute instead. */
  watched?: false
}

/** What is read, compared and remembered as one: usually one file. */
export interface Unit {
  path: string
  /** How it changes: `append` only grows until it is rewritten, `whole` is always rewritten, `database` knows its own changes. */
  growth: 'append' | 'whole' | 'database'
  /** Files whose change also asks for a new reading. They may be missing. */
  beside?: string[]
  /** Its messages count only in chats of which no other unit tells any. */
  standsIn?: boolean
  /** When several units tell of one message the highest rank is believed; 0 where nothing is said. */
  rank?: number
}

export type Found =
  /** A chat's header. What is left undefined keeps its known value. */
  | { chat: Chat }
  | { chatId: string; message: Message }
  | { problem: Problem }
  /** Everything told so far is complete; a later reading may start from here. */
  | { checkpoint: Checkpoint }
  /** Going on from the checkpoint was not possible: all that follows is a reading from the start. */
  | { restart: true }

export interface Checkpoint {
  /** Bytes read, for `append` units; otherwise of the source's own meaning. */
  offset: number
  /** What the source needs to go on from there. JSON, small. */
  state?: unknown
}

export interface Problem {
  /** Byte offset in the file, where there is one. */
  offset?: number
  reason: string
}

/** A call of one of our tools, as it reached us. */
export interface Call {
  /** As we call the tool; clients put something of their own before it. */
  tool: string
  args: unknown
  /** What the model's call is named, where the client says so. */
  id?: string
  /** When it reached us. */
  at: number
}

/** A dialog that the call may have come from. */
export interface Sighting {
  chatId: string
  /** `id`: the very call. `words`: one of the same name and arguments, not answered yet. `waiting`: some call is. */
  by: 'id' | 'words' | 'waiting'
  /** When that was written down. */
  at?: number
  /** It was copied along with its answer, as into a fork. */
  isAnswered?: boolean
}

/** How an assistant lets a call be traced to the dialog that it came from: what is missing, it does not. */
export interface CallTraces {
  /** The dialogs of a unit that may have made the call, by what was written last. */
  seenIn?(unit: Unit, call: Call): Sighting[]
  /** The dialog that a process has open, of those that we descend from. */
  openIn?(process: number, machine: Machine): string | undefined
  /** The variable in which it names the dialog to the servers that it starts. */
  variable?: {
    name: string
    /** It starts them again for another dialog, so that the name stays true. */
    staysTrue: boolean
  }
}

/** A source together with its reader. */
export type ReadableSource = Source & Reader

const readable = new WeakMap<Source, ReadableSource>()

/** A source whose reader is loaded by now. */
export async function withReader(source: Source): Promise<ReadableSource> {
  const known = readable.get(source)
  if (known) return known
  const { read } = await source.reader()
  const loaded = { ...source, read }
  readable.set(source, loaded)
  return loaded
}

/** Whether an assistant can be on a machine. */
export function isOn({ on }: Source, { platform }: Machine): boolean {
  return !on || on.includes(platform)
}

/**
 * What an assistant's files hold, counted without its reader: the readers stay as quick as they are,
 * and a count of their own making could not contradict them. `coverage.test.ts` holds both together.
 */
export interface Survey {
  /** Kinds of records that the reader makes something of. */
  used: ReadonlySet<string>
  /** Kinds that it passes over on purpose: copies, settings, traces. A kind in neither set is unknown. */
  ignored: ReadonlySet<string>
  /** The records of a unit; with `glance`, only its newest part. */
  records(unit: Unit, glance: boolean): Iterable<Seen>
}

/** One record: of what kind, and how many things the person said in it. */
export interface Seen {
  kind: string
  turns?: number
}
