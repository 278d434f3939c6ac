import fs from 'node:fs'
import path from 'node:path'
import type { Chat } from '../../model/chat.ts'
import { type Json, list, object, version, words } from '../json.ts'
import { readJson } from '../lines.ts'
import type { Found } from '../source.ts'
import { originBeside } from './beside.ts'
import { defined } from './content.ts'
import { type ChatNotes, type Mark, MOST, markOf, type Progress, remember, shortId } from './progress.ts'

const LARGEST_SIDE_FILE = 1024 * 1024
const LONGEST_TITLE = 500
const LONGEST_PATH = 4096

/** The chats of one transcript: whose line is whose, and what is known of each. */
export class ChatBook {
  private readonly file: string
  private readonly progress: Progress
  private readonly found: Found[]
  private readonly main: ChatNotes
  /** The file of a sub-agent. */
  private readonly ofAgent: boolean
  private readonly announced = new Map<string, string>()

  constructor(file: string, progress: Progress, found: Found[]) {
    this.file = file
    this.progress = progress
    this.found = found
    const id = path.basename(file, '.jsonl')
    this.ofAgent = id.startsWith('agent-')
    if (progress.chats.length === 0) progress.chats.push({ id })
    this.main = progress.chats[0]!
    if (this.ofAgent) this.readSideFile(file)
  }

  isAgent(chat: ChatNotes): boolean {
    return this.ofAgent || chat !== this.main
  }

  /** The chat of a conversation record, which tells something of its chat as well. */
  chatOf(record: Json, uuid: string | undefined, at: number | undefined): ChatNotes {
    const isAgents = !this.ofAgent && record.isSidechain === true
    const chat = isAgents ? this.inlineAgent(record, uuid) : this.main
    if (chat.workspace === undefined) {
      const cwd = words(record.cwd)
      if (cwd !== undefined && cwd.length <= LONGEST_PATH) chat.workspace = cwd
    }
    const branch = words(record.gitBranch)
    if (branch !== undefined && branch !== 'HEAD') chat.branch = branch.slice(0, LONGEST_TITLE)
    chat.format = version(record.version) ?? chat.format
    if (at !== undefined) {
      chat.createdAt ??= at
      if (chat.updatedAt === undefined || at > chat.updatedAt) chat.updatedAt = at
    }
    if (record.sessionKind === 'bg' && chat === this.main && !chat.begun && uuid !== undefined) {
      chat.background = true
      chat.forkOf ??= originBeside(this.file, uuid)
    }
    if (this.ofAgent) chat.parentId ??= shortId(record.sessionId)
    else if (!isAgents && record.forkedFrom !== undefined) {
      chat.forkOf ??= shortId(object(record.forkedFrom)?.sessionId) ?? shortId(record.forkedFrom)
    }
    if (uuid !== undefined && this.progress.summaries.length > 0) this.matchSummaries(uuid)
    return chat
  }

  /** Records beside the conversation; the last one of a kind holds. */
  note(record: Json): void {
    const { titles } = this.progress
    switch (record.type) {
      case 'custom-title':
        titles.custom = titleWords(record.customTitle) ?? titles.custom
        return
      case 'ai-title':
        titles.ai = titleWords(record.aiTitle) ?? titles.ai
        return
      case 'summary':
        this.noteSummary(record)
        return
      case 'relocated': {
        const folder = words(record.relocatedCwd)
        if (folder !== undefined && folder.length <= LONGEST_PATH) this.main.workspace = folder
        return
      }
      case 'derived-from':
        this.main.forkOf ??= shortId(list(record.sessions)[0])
        return
      case 'pr-link':
        this.main.repository = titleWords(record.prRepository) ?? this.main.repository
    }
  }

  /** `/rename` gives the session a name. */
  noteCommand(line: string): void {
    const name = line.startsWith('/rename ') ? titleWords(line.slice('/rename '.length)) : undefined
    if (name) this.progress.titles.custom = name
  }

  /** A sub-agent in its session's file is named by the call that started it. */
  titleByTask(chat: ChatNotes, gistOfPrompt: Mark): void {
    if (chat === this.main || chat.title !== undefined) return
    chat.title = this.progress.tasks.findLast(([words]) => words === gistOfPrompt)?.[1]
  }

  /** Called before a message of the chat is told. */
  announce(chat: ChatNotes): void {
    chat.begun = true
    if (!this.announced.has(chat.id)) this.tell(chat)
  }

  /** Tells the headers that are not yet told, or changed since. */
  announceAll(): void {
    for (const chat of this.progress.chats) if (chat.begun) this.tell(chat)
  }

  private tell(notes: ChatNotes): void {
    const chat = this.header(notes)
    const written = JSON.stringify(chat)
    if (this.announced.get(notes.id) === written) return
    this.announced.set(notes.id, written)
    this.found.push({ chat })
  }

  private header(notes: ChatNotes): Chat {
    const { begun: _, askedAt: __, ...known } = notes
    if (this.isAgent(notes)) return { source: 'claude-code', ...known, subagent: true }
    const { custom, ai, summary } = this.progress.titles
    const title = custom ?? ai ?? summary
    // Whoever can name a file could have a shell run its name.
    const resume = /^[\w-]+$/.test(notes.id) ? `claude --resume ${notes.id}` : undefined
    return { source: 'claude-code', ...known, ...defined({ title, resume }) }
  }

  /**
   * Until late 2025 sub-agents wrote into their session's file. Their records say whose they are, or
   * at least what they follow.
   */
  private inlineAgent(record: Json, uuid: string | undefined): ChatNotes {
    const { links, chats } = this.progress
    const agent = shortId(record.agentId)
    const parent = shortId(record.parentUuid)
    const followed = agent === undefined && parent !== undefined ? markOf(parent) : undefined
    const linked = links.findLast(([link]) => link === followed)
    const id = agent !== undefined ? `agent-${agent}` : (linked?.[1] ?? `agent-${uuid ?? this.main.id}`)
    if (uuid !== undefined) remember(links, [markOf(uuid), id], MOST.links)
    const known = chats.find((chat) => chat.id === id)
    if (known && known !== this.main) return known
    const chat: ChatNotes = { id, parentId: this.main.id }
    chats.push(chat)
    if (chats.length > MOST.chats) {
      const [oldest] = chats.splice(1, 1)
      if (this.announced.delete(oldest!.id)) this.found.push({ chat: this.header(oldest!) })
    }
    return chat
  }

  /** A title names its chat by that chat's last record, and may stand in another chat's file. */
  private noteSummary(record: Json): void {
    const title = titleWords(record.summary)
    const leaf = shortId(record.leafUuid)
    if (!title || !leaf) return
    if (this.progress.told.includes(markOf(leaf))) this.progress.titles.summary = title
    else remember(this.progress.summaries, [leaf, title], MOST.summaries)
  }

  private matchSummaries(uuid: string): void {
    const { summaries, titles } = this.progress
    const place = summaries.findIndex(([leaf]) => leaf === uuid)
    if (place >= 0) titles.summary = summaries.splice(place, 1)[0]![1]
  }

  private readSideFile(file: string): void {
    const beside = file.replace(/\.jsonl$/, '.meta.json')
    let side: Json | undefined
    try {
      if (fs.statSync(beside).size <= LARGEST_SIDE_FILE) side = object(readJson(beside))
    } catch {
      // Older sub-agents have none, and a broken one only costs a title.
    }
    this.main.title = titleWords(side?.description) ?? this.main.title
    if (side?.finished === true) this.main.status = 'done'
    const folders = path.dirname(file).split(path.sep)
    const place = folders.lastIndexOf('subagents')
    if (place > 0) this.main.parentId ??= folders[place - 1]
  }
}

export function titleWords(value: unknown): string | undefined {
  return words(value)?.trim().slice(0, LONGEST_TITLE)
}
