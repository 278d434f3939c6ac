import type { ChatStatus } from '../../model/chat.ts'
import { object } from '../json.ts'

/**
 * What a reading knows at one point of a transcript. All of it is bounded, whatever the file's
 * length, and goes into checkpoints as JSON.
 */
export interface Progress {
  /** The session first, then the sub-agents whose lines stand in its file. */
  chats: ChatNotes[]
  /** Answers that may still grow, oldest first. */
  answers: AnswerPlace[]
  /** The last records told. */
  told: Mark[]
  /** When the last record was made, by its own account. */
  at?: number
  /** The last requests and what they followed: another request after the same record replaces one. */
  prompts: PromptPlace[]
  /** The last requests by their words: one typed while the assistant was busy may be recorded twice. */
  queue: QueuedPrompt[]
  /** What was typed while the assistant worked and still waits, oldest first. */
  pending: QueueEntry[]
  /** What left the queue and may be recorded once more by what comes next. */
  left: LeftEntry[]
  /** Calls of file tools that have no result yet. */
  calls: [id: string, tool: string, path: string][]
  /** The last delegations, to name sub-agents by. */
  tasks: [words: Mark, title: string][]
  /** Which chat the last sub-agent records in a session's file belong to. */
  links: [uuid: Mark, chat: string][]
  /** Titles whose chat has not shown up in this file yet. */
  summaries: [leaf: string, title: string][]
  titles: { custom?: string; ai?: string; summary?: string }
  /** The last slash command, whose expansion follows it. */
  command?: string
}

/** What is left of a uuid, or of words, that are only compared: dozens of them would make up most of a checkpoint. */
export type Mark = number

export interface ChatNotes {
  id: string
  title?: string
  workspace?: string
  repository?: string
  branch?: string
  createdAt?: number
  updatedAt?: number
  parentId?: string
  forkOf?: string
  background?: boolean
  status?: ChatStatus
  format?: string
  /** It has messages, so it is a chat. */
  begun?: boolean
  /** When the turn that is going on was asked for. */
  askedAt?: number
}

export interface AnswerPlace {
  id: string
  /** Its first record, and what that follows: another answer to the same took its place. */
  uuid?: Mark
  parent?: Mark
  chat: string
  /** The byte offsets of its lines, to read them again when it goes on after a checkpoint. */
  lines: number[]
  askedAt?: number
  undone?: boolean
}

export interface PromptPlace {
  uuid: Mark
  parent: Mark
  offset: number
}

export interface QueuedPrompt {
  words: Mark
  /** Which record told it. */
  by: 'prompt' | 'attachment' | 'queue'
  at: number
}

export interface QueueEntry {
  /** Where the record stands that has the words. */
  offset: number
  /** How they begin. */
  head: string
  length: number
  at?: number
  /** Something was said while it waited: it was no ordinary prompt. */
  busy?: boolean
}

export interface LeftEntry extends QueueEntry {
  /** Where it left the queue, and how: a prompt follows one that was dequeued. */
  order: number
  dequeued: boolean
  /** The id under which it may be recorded again. */
  uuid?: string
}

/** How a transcript is read. */
export interface Manner {
  /** Only a part of the file is read again: no branch is looked for within it. */
  isPart?: true
  /** An answer may be written down again and again while it comes, as rows that follow the same one; nothing branches. */
  inBursts?: true
}

export const MOST = {
  chats: 16,
  answers: 16,
  answerLines: 400,
  told: 64,
  prompts: 32,
  queue: 8,
  pending: 32,
  left: 32,
  calls: 64,
  tasks: 16,
  links: 64,
  summaries: 16,
}

const VERSION = 3
/** The one before, which had uuids and words for marks. */
const WITH_WORDS = 2
const LONGEST_ID = 200

export function newProgress(): Progress {
  return {
    chats: [],
    answers: [],
    told: [],
    prompts: [],
    queue: [],
    pending: [],
    left: [],
    calls: [],
    tasks: [],
    links: [],
    summaries: [],
    titles: {},
  }
}

/** A copy that later lines do not change. */
export function savedProgress(progress: Progress): Progress & { version: number } {
  return {
    version: VERSION,
    ...progress,
    chats: progress.chats.map((notes) => ({ ...notes })),
    answers: progress.answers.map((place) => ({ ...place, lines: [...place.lines] })),
    told: [...progress.told],
    prompts: [...progress.prompts],
    queue: [...progress.queue],
    pending: progress.pending.map((entry) => ({ ...entry })),
    left: [...progress.left],
    calls: [...progress.calls],
    tasks: [...progress.tasks],
    links: [...progress.links],
    summaries: [...progress.summaries],
    titles: { ...progress.titles },
  }
}

/** Nothing when it was saved by another version: then the file is read from its start. */
export function loadProgress(saved: unknown): Progress | undefined {
  const state = object(saved)
  if (state?.version !== VERSION && state?.version !== WITH_WORDS) return undefined
  const { version: _, ...progress } = savedProgress(state as unknown as Progress)
  return state.version === WITH_WORDS ? marked(progress) : progress
}

function marked(progress: Progress): Progress {
  const mark = (uuid: unknown) => markOf(String(uuid))
  return {
    ...progress,
    answers: progress.answers.map(({ uuid, parent, ...place }) => ({
      ...place,
      ...(uuid !== undefined && { uuid: mark(uuid) }),
      ...(parent !== undefined && { parent: mark(parent) }),
    })),
    told: progress.told.map(mark),
    prompts: progress.prompts.map(({ uuid, parent, offset }) => ({
      uuid: mark(uuid),
      parent: mark(parent),
      offset,
    })),
    links: progress.links.map(([uuid, chat]) => [mark(uuid), chat]),
    queue: progress.queue.map((prompt) => ({ ...prompt, words: mark(prompt.words) })),
    tasks: progress.tasks.map(([words, title]) => [mark(words), title]),
  }
}

export function markIn(value: unknown): Mark | undefined {
  const id = shortId(value)
  return id === undefined ? undefined : markOf(id)
}

/** 53 bits of it: that two of one file have the same is out of the question. */
export function markOf(uuid: string): Mark {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let i = 0; i < uuid.length; i++) {
    const code = uuid.charCodeAt(i)
    high = Math.imul(high ^ code, 0x9e3779b1)
    low = Math.imul(low ^ code, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}

/** Adds to a list that forgets its oldest. */
export function remember<T>(items: T[], item: T, most: number): void {
  items.push(item)
  if (items.length > most) items.shift()
}

/** An id short enough to be remembered. */
export function shortId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_ID ? value : undefined
}

/** What a text is recognised by. */
export function gist(text: string): Mark {
  const trimmed = text.trim()
  return markOf(`${trimmed.length}:${trimmed.slice(0, 120)}`)
}
