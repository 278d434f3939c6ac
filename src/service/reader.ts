import type {
  ArchivedChat,
  ArchivedProblem,
  ChatFilter,
  ChatGroup,
  Origins,
  Overview,
  SavedSearch,
  UnknownRecords,
  WorkspaceOverview,
} from '../archive/archive.ts'
import { type Deps, MANY_CHATS, MANY_MESSAGES, MANY_ROWS } from '../capabilities/capability.ts'
import type { CheckedEntry } from '../context/check.ts'
import type { ContextDocument } from '../context/document.ts'
import type { Place } from '../context/place.ts'
import { type ContextRead, type ReadOptions, readContext } from '../context/read.ts'
import { type ChatStatus, STATUSES } from '../model/chat.ts'
import { ANYWHERE } from '../model/clean.ts'
import type { ChatCitation } from '../recall/citations.ts'
import type { ExportInput } from '../recall/export/export.ts'
import type { Family } from '../recall/family.ts'
import type { FindAs, FoundInChat } from '../recall/find-in-chat.ts'
import { type LiveChat, saidIn } from '../recall/live.ts'
import type { OpenedChat, ReadMessage } from '../recall/reader.ts'
import type { Step } from '../recall/steps.ts'
import type { Facets } from '../search/facets.ts'
import type { SearchInput } from '../search/input.ts'
import type { Taken } from '../search/seeker.ts'
import { uniqueId } from '../search/unique-ids.ts'
import type { SourceReport } from '../sync/source-report.ts'
import type { Vanishing } from '../sync/vanishing.ts'
import type { Service } from './answering.ts'
import type { LongReading } from './aside-words.ts'
import { assistantNamed } from './assistants.ts'
import type { Caller } from './caller.ts'
import { chatNamed } from './chat-named.ts'
import { countsOf, overviewOf } from './coverage.ts'
import { failureOf, orThrow } from './failure.ts'
import { passed, passing } from './passing.ts'
import { demand } from './rights.ts'
import { depsOf } from './service.ts'

/**
 * What faces read that is no capability: a chat a page at a time, what is around it, lists to choose
 * from. The same gate as for a call: the right to read, the same live reading, secrets taken out
 * before anything is cut, failures in the words of who asks.
 */
export type Reader = ReturnType<typeof readerFor>

export function readerFor(service: Service, caller: Caller) {
  const read = <T>(work: (deps: Deps) => Promise<T>) => passing(service, caller, ['read'], work)
  /** Elsewhere where it may take long. */
  const readLong = async <T>(method: LongReading, given: unknown[], work: (deps: Deps) => Promise<T>) => {
    const isLong = service.aside && (await isLongReading(service, method, given))
    if (!isLong || !service.aside) return await read(work)
    const { run } = await service.aside()
    return (await run({ kind: 'read', method, given }, caller)) as T
  }
  return {
    /** A chat before its messages: header, relatives, outline. */
    open: (chat: string): Promise<OpenedChat> =>
      read(async (deps) => (await pages()).openedChat(deps, chat, deps.clean)),
    messages: (
      chat: string,
      range: { from: number; to: number; whole?: boolean },
    ): Promise<{ messages: ReadMessage[]; total: number }> =>
      read(async (deps) => (await pages()).readMessages(deps, chat, range, deps.clean)),
    message: (chat: string, index: number): Promise<ReadMessage> =>
      read(async (deps) => (await pages()).readMessage(deps, chat, index, deps.clean)),
    /** Letter for letter, or as a search takes them. */
    find: (chat: string, words: string, as: FindAs = 'letters', taken: Taken = {}): Promise<FoundInChat> =>
      readLong('find', [chat, words, as, taken], async (deps) => {
        const { findInChat } = await import('../recall/find-in-chat.ts')
        return await findInChat(deps, chat, words, deps.clean, as, taken)
      }),
    /** What was said in a part of a chat, a line each. */
    steps: (chat: string, range: { from: number; to: number }): Promise<{ steps: Step[]; all: number }> =>
      readLong('steps', [chat, range], async (deps) => {
        const { stepsOf } = await import('../recall/steps.ts')
        return await stepsOf(deps, chat, range, deps.clean)
      }),
    /** What a search, or a list of chats, can be narrowed by, with how many chats each leaves. */
    facets: (input: SearchInput): Promise<Facets> =>
      readLong('facets', [input], async (deps) => {
        const { facetsOf } = await import('../search/facets.ts')
        return await facetsOf(deps.archive, input, deps.clean)
      }),
    /** Searches that the owner keeps, by name. */
    savedSearches: (): Promise<SavedSearch[]> =>
      read(async ({ archive, clean }) => clean(await archive.savedSearches())),
    /** The places in chats that a text names, and whether they exist and say what is quoted. */
    citations: (text: string): Promise<ChatCitation[]> =>
      read(async (deps) => {
        const { checkedCitations } = await import('../recall/citations.ts')
        return await checkedCitations(deps, text, deps.clean)
      }),
    /** All of a chat at once. */
    whole: (chat: string): Promise<LiveChat> =>
      readLong('whole', [chat], async (deps) => {
        const { openChat } = await import('../recall/current.ts')
        const { unsynced, ...live } = await openChat(deps, chat)
        return deps.clean(live, saidIn({ ...live, unsynced }))
      }),
    /** As the archive has it. */
    archived: (chat: string): Promise<ArchivedChat> =>
      read(async (deps) => {
        const found = await chatNamed(deps, chat)
        return deps.clean(found, found)
      }),
    /** The files that told of each of these. */
    files: (chats: ArchivedChat[]): Promise<string[][]> =>
      read(async ({ archive, clean }) => {
        const units = await Promise.all(chats.map((chat) => archive.unitsOf(chat)))
        return units.map((each, i) => each.map(({ path }) => clean(path, chats[i])))
      }),
    /** The chat that one goes back to, and all that came of it. */
    family: (chat: string): Promise<{ of: ArchivedChat; top: Family }> =>
      read(async (deps) => {
        const { archive, clean } = deps
        const { familyOf } = await import('../recall/family.ts')
        const of = await chatNamed(deps, chat)
        return { of: clean(of, of), top: cleanFamily(clean, await familyOf(archive, of)) }
      }),
    /** Newest first. */
    chats: (filter: ChatFilter, page?: { limit?: number; offset?: number }): Promise<ArchivedChat[]> =>
      read(async ({ archive, clean }) => cleanEach(clean, await archive.listChats(filter, page))),
    /** What each is called wherever an id is taken: its id, with the assistant's before it where others have the same. */
    namesOf: (chats: Pick<ArchivedChat, 'id' | 'source'>[]): Promise<string[]> =>
      read(({ archive }) => Promise.all(chats.map((chat) => uniqueId(archive, chat)))),
    /** Chats whose id begins so. */
    begunWith: (id: string, most: number): Promise<ArchivedChat[]> =>
      read(async ({ archive, clean }) => cleanEach(clean, await archive.chatsBegunWith(id, most))),
    /** What there is, counted; `between` milliseconds ago at the most, or without a change since. */
    overview: (between = 0): Promise<Overview> => read(({ archive }) => overviewOf(archive, between)),
    /** Chats counted by what they have in common, the most recently used first. */
    groups: (filter: ChatFilter, by: 'source' | 'folder'): Promise<ChatGroup[]> =>
      readLong('groups', [filter, by], async ({ archive, clean }) =>
        clean(await archive.groupChats(filter, by), ANYWHERE),
      ),
    count: (filter: ChatFilter): Promise<number> => read(({ archive }) => archive.countChats(filter)),
    /** Chats by the state of their last turn. */
    states: (): Promise<Partial<Record<ChatStatus, number>>> =>
      readLong('states', [], async ({ archive }) => {
        const counted = await Promise.all(
          STATUSES.map(async (status) => [status, await archive.countChats({ statuses: [status] })] as const),
        )
        return Object.fromEntries(counted.filter(([, chats]) => chats > 0))
      }),
    chatCount: (): Promise<number> => read(({ archive }) => archive.chatCount()),
    /** The chat of the message whose id begins so; nothing where there is none, or more than one has such. */
    chatOfMessage: (id: string): Promise<ArchivedChat | undefined> =>
      read(async ({ archive, clean }) => cleanOne(clean, (await archive.messagesBegunWith(id, 1))[0]?.chat)),
    /** Records that could not be read. */
    problems: (): Promise<ArchivedProblem[]> =>
      read(async ({ archive, clean }) => clean(await archive.problems(), ANYWHERE)),
    unknownRecords: (): Promise<UnknownRecords[]> =>
      read(async ({ archive, clean }) => clean(await archive.unknownRecords())),
    /** What assistants will delete, and what is only here. */
    vanishing: (): Promise<Vanishing[]> =>
      readLong('vanishing', [], async ({ archive, sources, machine }) => {
        const { vanishing } = await import('../sync/vanishing.ts')
        return await vanishing(archive, sources, machine)
      }),
    /** Every assistant: where it was looked for, what was found, and what prevents reading it. */
    sourceReports: (): Promise<SourceReport[]> =>
      readLong('sourceReports', [], async ({ archive, clean }) => {
        const { sourceReports } = await import('../sync/source-report.ts')
        return clean(await sourceReports({ homes: [], ...(await service.readable()) }, archive), ANYWHERE)
      }),
    /** Ids of the assistants that something is known of. */
    sources: (): Promise<string[]> =>
      read(async ({ archive }) => (await overviewOf(archive)).sources.map(({ source }) => source)),
    /** The id of an assistant, however people write its name. */
    sourceNamed: (name: string): Promise<string> =>
      read(async ({ archive }) => (await assistantNamed(archive, name)).id),
    /** Repositories, people and machines that there are chats of. */
    origins: (): Promise<Origins> =>
      readLong('origins', [], async ({ archive, clean }) => clean(await archive.origins(), ANYWHERE)),
    workspaces: (): Promise<WorkspaceOverview[]> =>
      readLong('workspaces', [], async ({ archive, clean }) => clean(await archive.workspaces(), ANYWHERE)),
    /** Chats as a file, a piece at a time: it may be larger than memory. */
    download: (
      input: Omit<ExportInput, 'path' | 'force'>,
    ): Promise<{ extension: string; pieces: AsyncGenerator<string> }> =>
      passed(caller, async () => {
        demand(caller, ['read'])
        if (service.aside) return await (await service.aside()).download(input, caller)
        const deps = await depsOf(service, caller)
        const { exportPieces } = await import('../recall/export/export.ts')
        const { extension, pieces } = await exportPieces(deps, input, deps.clean)
        return { extension, pieces: withFailures(pieces, caller) }
      }),
    context: (place: Place, options: ReadOptions = {}): Promise<ContextRead> =>
      read((deps) => readContext(place, options, deps.clean)),
    /**
     * A context file to be edited. Who edits it gets it as it is: what was taken out would be gone once
     * it is saved.
     */
    document: (place: Place): Promise<ContextDocument> =>
      passing(service, editing(caller), ['read'], async () => {
        const { readDocument } = await import('../context/document.ts')
        return readDocument(place)
      }),
    /** Saves what was edited. Where somebody else wrote meanwhile, the error holds what they wrote. */
    saveDocument: (place: Place, edited: { content: string; etag: string }): Promise<{ etag: string }> =>
      passing(service, editing(caller), ['configure'], async () => {
        const { writeDocument } = await import('../context/document.ts')
        return await writeDocument(place, edited)
      }),
    /** Of every entry of a context file: whether what it was made from is still the same. */
    checkContext: (place: Place): Promise<{ path: string; entries: CheckedEntry[] }> =>
      readLong('checkContext', [place], async (deps) => {
        const { checkContext } = await import('../context/check.ts')
        return deps.clean(await checkContext({ place, machine: deps.machine, asker: deps }))
      }),
  }
}

/** Where all of them are looked at. */
const MOST_CHATS: Partial<Record<LongReading, number>> = {
  facets: MANY_CHATS,
  vanishing: MANY_CHATS,
  sourceReports: MANY_CHATS,
  checkContext: MANY_CHATS,
  states: MANY_ROWS,
  workspaces: MANY_ROWS,
  origins: MANY_ROWS,
  groups: MANY_ROWS,
}

/** Of a chat, by its length; of all, by how many there are. */
async function isLongReading(
  { archive }: Service,
  method: LongReading,
  [chat, words]: unknown[],
): Promise<boolean> {
  // A pattern may take for ever.
  if (method === 'find' && /^\s*\/.*\/\s*$/s.test(String(words))) return true
  const most = MOST_CHATS[method]
  if (most !== undefined) return (await countsOf(archive)).chats > most
  const found = await archive.resolveChat(String(chat)).catch(() => undefined)
  return (found?.messageCount ?? 0) > MANY_MESSAGES
}

function cleanEach(clean: Deps['clean'], chats: ArchivedChat[]): ArchivedChat[] {
  return chats.map((chat) => clean(chat, chat))
}

function cleanFamily(clean: Deps['clean'], { chat, as, below }: Family): Family {
  return { chat: clean(chat, chat), as, below: below.map((each) => cleanFamily(clean, each)) }
}

function cleanOne(clean: Deps['clean'], chat: ArchivedChat | undefined): ArchivedChat | undefined {
  return chat && clean(chat, chat)
}

function editing(caller: Caller): Caller {
  return caller.kind === 'owner' ? { ...caller, reveal: true } : caller
}

async function* withFailures(pieces: AsyncGenerator<string>, caller: Caller): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    orThrow({ failure: failureOf(error, caller) })
  }
}

async function pages() {
  return await import('../recall/reader.ts')
}
