import type { Message } from '../../model/chat.ts'
import { type Json, millis, object, words } from '../json.ts'
import type { Found } from '../source.ts'
import { addLine, type Draft, messageOf, newDraft } from './answer.ts'
import { outputBeside } from './beside.ts'
import { ChatBook, titleWords } from './chat-book.ts'
import { blocksOf, defined } from './content.ts'
import {
  type AnswerPlace,
  type ChatNotes,
  gist,
  type Manner,
  type Mark,
  MOST,
  markIn,
  markOf,
  newProgress,
  type Progress,
  type PromptPlace,
  type QueuedPrompt,
  remember,
  shortId,
} from './progress.ts'
import { PromptQueue } from './queue.ts'
import { branchFrom, isSaid, linesAgain } from './reread.ts'
import { saidBy, saidBySystem } from './said.ts'
import { SeenRecords } from './seen-records.ts'
import { spokenIn } from './spoken.ts'
import { statusAfter } from './status.ts'
import { fileOfCall, resultsOf } from './tool-result.ts'

/** How far apart the two records of one prompt may be: said to be queued, and not. */
const SAME_PROMPT = { queued: 10 * 60_000, unsaid: 5_000 }
/** A rewound branch is read again to mark it; beyond this it is left as it is. */
const LONGEST_BRANCH = 64 * 1024 * 1024
const LONGEST_QUEUE = 256
/** Rows of one answer that was written down while it came are not further apart. */
const BURST = 1000

interface OpenAnswer {
  chat: ChatNotes
  place: AnswerPlace
  draft: Draft
}
type Waiting = { answer: OpenAnswer } | { chat: ChatNotes; message: Message }

/**
 * One reading of a transcript. Records go in by `take`, what they tell gathers in `found`. An answer
 * waits until all its lines are in, and what follows it waits behind it, so that messages come in
 * their order.
 */
export class Transcript {
  readonly found: Found[] = []
  readonly progress: Progress
  private readonly file: string
  private readonly book: ChatBook
  private readonly mayBranch: boolean
  private readonly inBursts: boolean
  private readonly drafts = new Map<AnswerPlace, OpenAnswer>()
  private waiting: Waiting[] = []
  private readonly told: SeenRecords
  private readonly queue: PromptQueue

  constructor(file: string, progress: Progress = newProgress(), manner: Manner = {}) {
    this.file = file
    this.progress = progress
    this.mayBranch = !manner.isPart && !manner.inBursts
    this.inBursts = manner.inBursts === true
    this.book = new ChatBook(file, progress, this.found)
    this.told = new SeenRecords(file, progress)
    this.queue = new PromptQueue(file, progress)
  }

  take(record: Json, offset: number): void {
    if (isSaid(record)) this.conversation(record, offset)
    else if (record.type === 'queue-operation') this.queue.take(record, offset)
    else if (record.type !== 'attachment') this.book.note(record)
    else if (object(record.attachment)?.type === 'queued_command') this.queuedPrompt(record, offset)
  }

  /** Tells what waits, and the headers of chats. */
  settle(): void {
    this.flush()
    this.book.announceAll()
  }

  private flush(): void {
    const waiting = this.waiting
    this.waiting = []
    for (const item of waiting) {
      if ('message' in item) this.tell(item.chat, item.message)
      else this.tellAnswer(item.answer)
    }
  }

  private conversation(record: Json, offset: number): void {
    const uuid = shortId(record.uuid)
    const at = millis(record.timestamp)
    if (!this.told.isNew(uuid, at, offset)) return
    const chat = this.book.chatOf(record, uuid, at)
    if (!this.book.isAgent(chat)) this.queue.notice()
    if (record.type === 'assistant') this.answer(record, chat, uuid, offset)
    else if (record.type === 'user') this.user(record, chat, uuid, offset, at)
    else this.system(record, chat, uuid, offset, at)
  }

  private answer(record: Json, chat: ChatNotes, uuid: string | undefined, offset: number): void {
    const message = object(record.message)!
    const id = this.burstOf(record, chat, offset) ?? shortId(message.id) ?? uuid ?? `at-${offset}`
    if (!this.book.isAgent(chat)) this.tellQueued(chat)
    const open = this.openAnswer(id, chat, offset)
    if (open.place.lines.length === 0)
      this.noteAnswer(chat, open.place, markIn(record.uuid), markIn(record.parentUuid), offset)
    if (open.place.lines.length >= MOST.answerLines) return
    open.place.lines.push(offset)
    addLine(open.draft, record)
    if (!this.waiting.some((item) => 'answer' in item && item.answer === open)) {
      this.waiting.push({ answer: open })
    }
    for (const block of blocksOf(message.content)) if (block.type === 'tool_use') this.noteCall(block)
    chat.status = open.draft.failed ? 'failed' : statusAfter(message)
    if (message.stop_reason === 'end_turn') chat.askedAt = undefined
  }

  /** The answer of which a row tells more. */
  private burstOf(record: Json, chat: ChatNotes, offset: number): string | undefined {
    const parent = markIn(record.parentUuid)
    const at = millis(record.timestamp)
    const last = this.inBursts ? this.progress.answers.at(-1) : undefined
    if (!last || last.chat !== chat.id || parent === undefined || last.parent !== parent) return undefined
    const before = this.openAnswer(last.id, chat, offset).draft.endedAt
    const isSoon = at !== undefined && before !== undefined && Math.abs(at - before) < BURST
    return isSoon ? last.id : undefined
  }

  private openAnswer(id: string, chat: ChatNotes, offset: number): OpenAnswer {
    const { answers } = this.progress
    const known = answers.findLast((place) => place.id === id && place.chat === chat.id)
    if (!known) this.flush()
    const place = known ?? { id, chat: chat.id, lines: [], ...defined({ askedAt: chat.askedAt }) }
    let open = this.drafts.get(place)
    if (!open) {
      open = { chat, place, draft: newDraft() }
      for (const line of linesAgain(this.file, place.lines, offset)) addLine(open.draft, line)
      this.drafts.set(place, open)
    }
    open.chat = chat
    if (!known) {
      answers.push(place)
      if (answers.length > MOST.answers) this.drafts.delete(answers.shift()!)
    }
    return open
  }

  /** An answer that follows the same record as another one was given instead of it. */
  private noteAnswer(
    chat: ChatNotes,
    place: AnswerPlace,
    uuid: Mark | undefined,
    parent: Mark | undefined,
    offset: number,
  ): void {
    Object.assign(place, defined({ uuid, parent }))
    if (!this.mayBranch || uuid === undefined || parent === undefined) return
    const earlier = this.progress.answers.findLast(
      (known) => known !== place && known.chat === chat.id && known.parent === parent && !known.undone,
    )
    const from = earlier?.lines[0]
    if (earlier?.uuid !== undefined && from !== undefined && offset - from <= LONGEST_BRANCH) {
      this.undo(chat, from, offset)
    }
  }

  private noteCall(block: Json): void {
    const id = shortId(block.id)
    const file = fileOfCall(block.name, block.input)
    if (id !== undefined && file !== undefined) {
      remember(this.progress.calls, [id, String(block.name), file], MOST.calls)
    } else if (block.name === 'Task' || block.name === 'Agent') {
      const input = object(block.input)
      const prompt = words(input?.prompt)
      const title = titleWords(input?.description)
      if (prompt && title) remember(this.progress.tasks, [gist(prompt), title], MOST.tasks)
    }
  }

  private readonly callOf = (id: string): [tool: string, file: string] | undefined => {
    const { calls } = this.progress
    const place = calls.findIndex((call) => call[0] === id)
    if (place < 0) return undefined
    const [, tool, file] = calls.splice(place, 1)[0]!
    return [tool, file]
  }

  private user(
    record: Json,
    chat: ChatNotes,
    uuid: string | undefined,
    offset: number,
    at: number | undefined,
  ) {
    const blocks = blocksOf(object(record.message)?.content)
    const id = uuid ?? `at-${offset}`
    const results = resultsOf(record, blocks, this.callOf, (name) => outputBeside(this.file, name))
    if (results) {
      const role = 'tool'
      this.push(chat, {
        id,
        order: offset,
        role,
        kind: role,
        text: '',
        ...results,
        ...defined({ createdAt: at }),
      })
      if (chat.status === 'waiting') chat.status = 'running'
      this.spoken(record, blocks, chat, id, offset, at)
    }
    const said = saidBy(record, results ? blocks.filter((block) => block.type === 'text') : blocks)
    if (!said) return
    const waited = !results && !this.book.isAgent(chat) && this.queue.recorded(said.text)
    if (results && said.kind === 'request') said.kind = 'injected'
    if (said.kind === 'request' && this.book.isAgent(chat)) {
      said.kind = 'delegated'
      delete said.via
    }
    const parent = shortId(record.parentUuid)
    if (said.kind === 'injected' && record.isMeta === true && parent !== undefined) {
      if (parent === this.progress.command) said.kind = 'command'
    } else if (said.kind === 'command' && uuid !== undefined) this.progress.command = uuid
    else if (said.via && uuid !== undefined) this.progress.command = uuid
    if (said.kind === 'command' && !this.book.isAgent(chat)) this.book.noteCommand(said.text)
    if (said.kind === 'delegated') this.book.titleByTask(chat, gist(said.text))
    if (said.kind === 'request') {
      const queued = record.promptSource === 'queued'
      if (this.isOther(said.text, 'prompt', at, queued ? SAME_PROMPT.queued : SAME_PROMPT.unsaid)) return
      if (queued || waited) said.via ??= 'queued'
      if (uuid !== undefined && parent !== undefined)
        this.notePrompt(chat, { uuid: markOf(uuid), parent: markOf(parent), offset })
    }
    if (said.kind === 'request' || said.kind === 'delegated') {
      this.flush()
      chat.askedAt = at
      chat.status = 'running'
    }
    if (said.outcome === 'cancelled') chat.status = 'cancelled'
    this.push(chat, {
      id: results ? `${id}:text` : id,
      order: results ? offset + 0.5 : offset,
      role: 'user',
      ...said,
      ...defined({ createdAt: at }),
    })
  }

  /** A prompt typed while the assistant was busy, handed over within the turn. */
  private queuedPrompt(record: Json, offset: number): void {
    const uuid = shortId(record.uuid)
    const attachment = object(record.attachment)!
    const source = shortId(attachment.source_uuid)
    const id = source ?? uuid ?? `at-${offset}`
    if (this.told.has(uuid) || this.told.has(source)) return
    const at = millis(record.timestamp)
    const chat = this.book.chatOf(record, uuid, at)
    this.told.add(uuid)
    this.told.add(source)
    const said = saidBy(attachment, blocksOf(attachment.prompt))
    if (!said) return
    if (said.kind === 'request' && this.book.isAgent(chat)) said.kind = 'delegated'
    if (!this.book.isAgent(chat)) this.queue.recorded(said.text)
    if (said.kind === 'request') {
      if (this.isOther(said.text, 'attachment', at, SAME_PROMPT.unsaid)) return
      said.via ??= 'queued'
      chat.askedAt ??= at
    }
    this.push(chat, { id, order: offset, role: 'user', ...said, ...defined({ createdAt: at }) })
  }

  /** What was typed into the queue and is recorded nowhere but in its ledger. */
  private tellQueued(chat: ChatNotes): void {
    for (const { entry, text } of this.queue.unrecorded()) {
      const said = text.startsWith('{"task_id"') ? undefined : saidBy({}, blocksOf(text))
      const { order, offset, uuid, at } = entry
      if (said?.kind !== 'request' || this.told.has(uuid)) continue
      if (this.isOther(said.text, 'queue', at, SAME_PROMPT.unsaid)) continue
      this.told.add(uuid)
      chat.askedAt ??= at
      const id = uuid ?? `queue-${offset}`
      this.push(chat, { id, order, role: 'user', ...said, via: 'queued', ...defined({ createdAt: at }) })
    }
  }

  /** What was said to a call: why it is refused, or what was asked for. */
  private spoken(
    record: Json,
    blocks: Json[],
    chat: ChatNotes,
    id: string,
    offset: number,
    at: number | undefined,
  ): void {
    for (const [index, { via, text }] of spokenIn(record, blocks).entries()) {
      this.push(chat, {
        id: `${id}:said${index || ''}`,
        order: offset + 0.25 + index / 1000,
        role: 'user',
        kind: 'request',
        via,
        text,
        ...defined({ createdAt: at }),
      })
    }
  }

  /** Whether these words were just told by another kind of record: then this one is no request of its own. */
  private isOther(text: string, by: QueuedPrompt['by'], at = 0, apart: number): boolean {
    const { queue } = this.progress
    const gistOfIt = gist(text)
    const other = queue.findIndex(
      (prompt) =>
        prompt.by !== by && prompt.words === gistOfIt && Math.abs(at - prompt.at) <= apart && at > 0,
    )
    if (other >= 0) queue.splice(other, 1)
    else remember(queue, { words: gistOfIt, by, at }, MOST.queue)
    return other >= 0
  }

  private system(
    record: Json,
    chat: ChatNotes,
    uuid: string | undefined,
    offset: number,
    at: number | undefined,
  ) {
    const said = saidBySystem(record)
    if (!said) return
    if (record.subtype === 'local_command' && !this.book.isAgent(chat)) {
      this.queue.recorded(said.text)
      if (said.kind === 'command') this.book.noteCommand(said.text)
    }
    this.push(chat, {
      id: uuid ?? `at-${offset}`,
      order: offset,
      role: 'system',
      ...said,
      ...defined({ createdAt: at }),
    })
  }

  /** A request that follows the same record as an earlier one took its place: the person went back. */
  private notePrompt(chat: ChatNotes, prompt: PromptPlace): void {
    if (!this.mayBranch || this.book.isAgent(chat)) return
    const { prompts } = this.progress
    const earlier = prompts.findLast((known) => known.parent === prompt.parent)
    if (earlier?.uuid === prompt.uuid) return
    if (earlier && prompt.offset - earlier.offset <= LONGEST_BRANCH)
      this.undo(chat, earlier.offset, prompt.offset)
    remember(prompts, prompt, MOST.prompts)
  }

  private undo(chat: ChatNotes, from: number, before: number): void {
    this.flush()
    const branch = new Transcript(this.file, newProgress(), { isPart: true })
    const uuids = branchFrom(this.file, from, before, (record, offset) => branch.take(record, offset))
    branch.settle()
    for (const item of branch.found) {
      if (!('message' in item) || item.chatId !== chat.id) continue
      item.message.undone = true
      this.found.push(item)
      const place = this.progress.answers.findLast(
        (answer) => answer.id === item.message.id && answer.chat === chat.id,
      )
      if (place) place.undone = true
    }
    const marks = new Set([...uuids].map(markOf))
    this.progress.prompts = this.progress.prompts.filter(({ uuid }) => !marks.has(uuid))
  }

  private push(chat: ChatNotes, message: Message): void {
    this.waiting.push({ chat, message })
    if (this.waiting.length > LONGEST_QUEUE) this.flush()
  }

  private tellAnswer({ chat, place, draft }: OpenAnswer): void {
    const message = messageOf(draft, { ...place, order: place.lines[0]! })
    const isEmpty =
      message.text === '' && !message.thinking && !message.toolCalls && !message.toolResults && !message.usage
    if (!isEmpty) this.tell(chat, message)
  }

  private tell(chat: ChatNotes, message: Message): void {
    this.book.announce(chat)
    this.found.push({ chatId: chat.id, message })
  }
}
