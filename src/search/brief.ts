import type { SearchAnswer } from './answer.ts'
import { explained } from './explained.ts'
import { FEW } from './guidance.ts'
import { cursorAt, placeOf, type SearchInput } from './input.ts'
import type { ChatResult } from './result.ts'
import type { Snippet } from './snippet.ts'
import { wholeName } from './unique-ids.ts'

/** A search's answer for a model has so many characters, unless more are asked for. */
export const BRIEF_CHARS = 4_000
/** What the calls that are proposed may give: they and the first answer together are a few pages, not a book. */
const NEXT_CHARS = 4_950
const READ_CHARS = 4_950
const LAST_CHARS = 2_500

export interface BriefOptions {
  /** Characters of JSON. */
  room: number
  /** What each chat may be called, by its source and id. */
  nameOf: Map<string, string>
  /** Sizes were asked for: what was found is told whole, and goes on from a cursor where it is too long. */
  isSized: boolean
}

interface BriefSnippet {
  index: number
  role: string
  text: string
  source?: 'tool'
}

interface BriefChat {
  chatId: string
  title: string
  source: string
  workspace?: string
  author?: string
  machine?: string
  date: string
  relevance: number
  snippets: BriefSnippet[]
}

/**
 * The answer with each thing said once: ids no longer than they must be, no fields that tell nothing, the
 * snippets that tell most. Chats that are much worse than those before them are left for who goes on.
 */
export function brief(
  answer: SearchAnswer,
  input: SearchInput,
  { room, nameOf, isSized }: BriefOptions,
): Record<string, unknown> {
  const { results, topChatIds, totalFound, confidence, guidance, tried, translated, timeFilter, notes } =
    answer
  const asText = input.response_mode === 'text'
  const { chats: skipped, snippets: before } = placeOf(input.cursor)
  const isRest = before !== undefined
  const told = results.map((result, i) => {
    const { source, chatId: id } = result
    return briefChat(result, nameOf.get(wholeName({ source, id })) ?? topChatIds[i] ?? id)
  })
  const shortOf = new Map(told.map(({ chatId }, i) => [topChatIds[i]!, chatId]))
  const frame = (chats: BriefChat[], counted = chats) => {
    // The best snippets of the rest are of any chats: those before the first that is not among them were told.
    const gap = isRest ? told.findIndex((chat) => !counted.includes(chat)) : counted.length
    const shown = gap < 0 ? totalFound - skipped : Math.min(gap, totalFound - skipped)
    const left = totalFound - skipped - shown
    const next = cursorAt(skipped + shown)
    const rest = isRest || isSized ? next : cursorAt(skipped + shown, givenSnippets(results, counted))
    const lines = explained({ tried, translated, timeFilter })
    return {
      status: answer.status,
      confidence,
      totalFound,
      guidance: named(guidance, { shortOf, next: rest, isMore: left > 0, isSized }),
      ...(notes && { notes }),
      ...(asText
        ? { text: [...lines, ...chats.map(lineOf)].join('\n') }
        : {
            ...(tried && { tried }),
            ...(translated && { translated: translated.slice(0, 6) }),
            ...(timeFilter && { timeFilter }),
            topChatIds: chats.map(({ chatId }) => chatId),
            results: chats,
          }),
      ...(left > 0 &&
        chats.length + counted.length > 0 && {
          more: { cursor: next, hint: `${left} more chats from here.` },
        }),
    }
  }
  if (isSized) {
    for (const [i, chat] of told.entries()) chat.snippets = results[i]!.snippets.map(briefSnippet)
    return frame(told)
  }
  const sizeOfChat = asText
    ? (chat: BriefChat) => jsonSize(lineOf(chat))
    : (chat: BriefChat) => jsonSize(chat) + jsonSize(chat.chatId) + 2
  const sizeOfSnippet = asText
    ? (each: BriefSnippet) => jsonSize(snippetLine(each))
    : (each: BriefSnippet) => jsonSize(each) + 1
  const isFew = totalFound <= FEW
  const left = room - jsonSize(frame([], told.slice(0, 1))) - CURSOR
  const sizes = { sizeOfChat, sizeOfSnippet }
  const chats =
    isRest && isFew
      ? byScore(results, told, left, sizes)
      : chosen(results, told, left, { forChats: isFew ? FOR_FEW : FOR_CHATS, ...sizes })
  return frame(chats)
}

/** Room for the numbers of cursors. */
const CURSOR = 12

/**
 * Of what is left for chats, so much goes to one snippet of each; the rest to where they tell most. Where few were
 * found the right one is among them, and more of each tells more.
 */
const FOR_CHATS = 0.9
const FOR_FEW = 0.6
/** A chat with less than this of the one before it, and little of the best, is of another kind: the rest is left out. */
const CLIFF = 0.5
const LITTLE = 0.3
const LEAST_CHATS = 1

interface Sizes {
  sizeOfChat(chat: BriefChat): number
  sizeOfSnippet(each: BriefSnippet): number
}

function chosen(
  results: ChatResult[],
  told: BriefChat[],
  room: number,
  { forChats, sizeOfChat, sizeOfSnippet }: Sizes & { forChats: number },
): BriefChat[] {
  const chats: BriefChat[] = []
  let left = room
  for (const [i, chat] of told.entries()) {
    if (isCliff(results, i)) break
    const size = sizeOfChat(chat)
    if (chats.length >= LEAST_CHATS && left - size < room * (1 - forChats)) break
    chats.push(chat)
    left -= size
  }
  for (const { at, each } of besideFirst(results.slice(0, chats.length))) {
    const snippet = briefSnippet(each)
    const size = sizeOfSnippet(snippet)
    // In their order: the next answer knows by their number which were told.
    if (size > left) break
    chats[at]!.snippets.push(snippet)
    left -= size
  }
  // In the room that is left, more chats are worth more than none.
  for (const chat of told.slice(chats.length)) {
    if (isCliff(results, chats.length) || sizeOfChat(chat) > left) break
    chats.push(chat)
    left -= sizeOfChat(chat)
  }
  return chats
}

/** The best snippets, whichever chats they are of. */
function byScore(
  results: ChatResult[],
  told: BriefChat[],
  room: number,
  { sizeOfChat, sizeOfSnippet }: Sizes,
): BriefChat[] {
  const all = results.flatMap(({ snippets }, at) =>
    snippets.filter(({ source }) => source !== 'title').map((each) => ({ at, each })),
  )
  const shown = new Map<number, BriefChat>()
  let left = room
  for (const { at, each } of all.sort((a, b) => b.each.relevance - a.each.relevance)) {
    const chat = shown.get(at)
    const snippet = briefSnippet(each)
    const size = chat ? sizeOfSnippet(snippet) : sizeOfChat({ ...told[at]!, snippets: [snippet] })
    if (size > left) continue
    left -= size
    if (chat) chat.snippets.push(snippet)
    else shown.set(at, Object.assign(told[at]!, { snippets: [snippet] }))
  }
  return [...shown.values()]
}

/** All but the first snippet of each chat, the best first. */
function besideFirst(results: ChatResult[]): { at: number; each: Snippet }[] {
  return results
    .flatMap(({ snippets }, at) =>
      snippets
        .filter(({ source }) => source !== 'title')
        .slice(1)
        .map((each) => ({ at, each })),
    )
    .sort((a, b) => b.each.relevance - a.each.relevance)
}

/** How many of these, in their order, were told: the next answer begins after them. */
function givenSnippets(results: ChatResult[], chats: BriefChat[]): number {
  const all = besideFirst(results.slice(0, chats.length))
  const end = all.findIndex(({ at, each }) => !chats[at]!.snippets.some(({ index }) => index === each.index))
  return end < 0 ? all.length : end
}

function isCliff(results: ChatResult[], at: number): boolean {
  const before = results[at - 1]?.relevance
  const { relevance } = results[at]!
  return before !== undefined && relevance < before * CLIFF && relevance < LITTLE
}

const LONGEST_TITLE = 80

/** With its best snippet. */
function briefChat(
  { title, source, workspace, author, machine, date, relevance, snippets }: ChatResult,
  chatId: string,
): BriefChat {
  const said = snippets.find((each) => each.source !== 'title')
  return {
    chatId,
    title: cut(title.replace(/\s+/g, ' '), LONGEST_TITLE),
    source,
    ...(workspace !== undefined && { workspace: workspace.split(/[\\/]/).findLast(Boolean) ?? workspace }),
    ...(author !== undefined && { author, machine }),
    date,
    relevance: Math.round(relevance * 100) / 100,
    snippets: said ? [briefSnippet(said)] : [],
  }
}

function briefSnippet({ index, role, text, source }: Snippet): BriefSnippet {
  return { index, role, text, ...(source === 'tool' && { source }) }
}

/** Guidance by the short ids, with sizes that leave room for a third call. */
function named(
  { stopIf, nextActions, state }: SearchAnswer['guidance'],
  {
    shortOf,
    next,
    isMore,
    isSized,
  }: { shortOf: Map<string, string>; next: string; isMore: boolean; isSized: boolean },
): Record<string, unknown> {
  const { expandedTerms, excludes, iteration, tried } = state
  const readable = iteration === 1 ? READ_CHARS : LAST_CHARS
  const kept = {
    ...(expandedTerms.length > 0 && { expandedTerms }),
    ...(excludes.length > 0 && { excludes }),
    iteration,
    ...(tried.length > 0 && { tried }),
  }
  return {
    stopIf,
    nextActions: nextActions
      .filter(({ args }) => args.cursor === undefined || isMore)
      // The second is of some hundred characters: more chats tell more.
      .slice(0, 1)
      .map(({ tool, args, why }) => {
        const { cursor, chatIds } = args
        const isSearch = tool === 'search_conversations'
        const sized = isSearch ? { response_mode: 'text', max_chars: NEXT_CHARS } : { max_chars: readable }
        return {
          tool,
          args: {
            ...args,
            ...(isSearch && { state: kept }),
            ...(cursor !== undefined && { cursor: next }),
            ...(Array.isArray(chatIds) && { chatIds: chatIds.map((id: string) => shortOf.get(id) ?? id) }),
            ...(!isSized && sized),
          },
          why,
        }
      }),
    state: kept,
  }
}

function lineOf({ chatId, title, source, workspace, author, date, snippets }: BriefChat): string {
  const about = [title, date, source, workspace, author && `by ${author}`].filter(Boolean).join(' · ')
  return [`${chatId} ${about}`, ...snippets.map(snippetLine)].join('\n')
}

function snippetLine({ index, role, text }: BriefSnippet): string {
  return `#${index} ${role}: ${text}`
}

function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

function jsonSize(value: unknown): number {
  return JSON.stringify(value).length
}
