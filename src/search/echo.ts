import type { ArchivedChat, SearchView } from '../archive/archive.ts'
import { afterOf, beforeOf, KINDS } from '../archive/archive.ts'
import { isOwnCall } from '../model/injected.ts'
import { termsOfWord } from '../model/terms.ts'
import { AGENT_SOURCE } from '../sources/recollect-agent/place.ts'
import type { ChatScore } from './rank.ts'

/** So many chats more than are shown are looked at, at first: echoes make room for them. */
export const MOST_ECHOES = 12
/**
 * Of so many chats, the best by their words, the originals come first; the rest follow by their words. One number
 * whatever is shown, so that all pages are parts of one list.
 */
export const WEIGHED = 100
/** What an echo has of its score. It says the very words, often better than the original: still it comes after it. */
const ECHO = 0.15

/**
 * The chats with what is said for the first time before what only repeats it: chats of our own agent and of
 * other tools that remember, turns in which an assistant asked us, and the other chats of one family of
 * sub-agents. All are found, and none comes before the original because somebody asked for it again.
 */
export function originalsFirst(view: SearchView, chats: ChatScore[]): ChatScore[] {
  return weighed(view, chats).chats
}

/** The same of the best of more chats; nothing where the first `need` depend on what the others are. */
export function surelyFirst(view: SearchView, best: ChatScore[], need: number): ChatScore[] | undefined {
  const { chats, heads } = weighed(view, best)
  if (best.length >= WEIGHED) return chats
  const least = chats[need - 1]?.score
  // None of the others has more than the last of these, but for a chat in the place of its sub-agent.
  const isSure =
    least !== undefined &&
    least >= best.at(-1)!.score &&
    [...heads.values()].every(({ isParent, score }) => isParent || score < least)
  return isSure ? chats : undefined
}

function weighed(view: SearchView, all: ChatScore[]): { chats: ChatScore[]; heads: Map<string, Head> } {
  if (all.length < 2) return { chats: all, heads: new Map() }
  const chats = all.slice(0, WEIGHED)
  const asked = messagesThatAsked(view, new Set(chats.map(({ key }) => key)))
  const told = chats.map((score) => ({ score, chat: view.chat(score.key) }))
  const heads = headsOf(told)
  const scores = told.map(({ score, chat }) => {
    const head = heads.get(familyOf(chat))!
    if (head.key !== score.key || isRemembering(chat)) return { ...score, score: score.score * ECHO }
    const share = ownShare(view, score, asked.get(score.key))
    return share === 1 && head.score === score.score ? score : { ...score, score: head.score * share }
  })
  if (scores.every((each, i) => each === chats[i])) return { chats: all, heads }
  return { chats: [...scores.sort((a, b) => b.score - a.score), ...all.slice(WEIGHED)], heads }
}

interface Head {
  key: number
  /** The best of its family. */
  score: number
  isParent: boolean
}

/** A chat and its sub-agents are one piece of work: what one of them found stands for it, under the chat's name. */
function headsOf(told: { score: ChatScore; chat: ArchivedChat }[]): Map<string, Head> {
  const heads = new Map<string, Head>()
  for (const { score, chat } of told) {
    const known = heads.get(familyOf(chat))
    const isParent = !chat.subagent
    if (!known) heads.set(familyOf(chat), { key: score.key, score: score.score, isParent })
    else if (isParent && !known.isParent) {
      known.key = score.key
      known.isParent = true
    }
  }
  return heads
}

function familyOf({ source, id, subagent, parentId }: ArchivedChat): string {
  return `${source} ${(subagent && parentId) || id}`
}

/** Folders in which memory tools keep the sessions that they hold with an assistant about other sessions. */
const OF_MEMORY_TOOLS =
  /[\\/]\.(?:claude-mem|agentmemory|mempalace|supermemory|episodic-memory|openviking)(?:[\\/]|$)/

function isRemembering({ source, workspace }: ArchivedChat): boolean {
  return source === AGENT_SOURCE || (workspace !== undefined && OF_MEMORY_TOOLS.test(workspace))
}

/** Of our tools' names, as the index has them: whose they are, and that they give back what was said. */
const OURS = ['recollect', 'secretary'].flatMap(termsOfWord)
const GIVING_BACK = ['conversations', 'gather', 'evidence'].flatMap(termsOfWord)

/** By chat, messages in which one of our tools may have been called. */
function messagesThatAsked(view: SearchView, chats: Set<number>): Map<number, number[]> {
  const ours = new Set<number>()
  const asked = new Map<number, number[]>()
  const { chat: chatOf } = view.documents
  const each = (terms: string[], see: (key: number) => void) => {
    for (const term of terms) {
      const { size, keys } = view.postings('tools', term)
      for (let i = 0; i < size; i++) if (chats.has(chatOf[keys[i]!]!)) see(keys[i]!)
    }
  }
  each(OURS, (key) => ours.add(key))
  if (ours.size === 0) return asked
  each(GIVING_BACK, (key) => {
    const known = asked.get(chatOf[key]!)
    if (!ours.delete(key)) return
    if (known) known.push(key)
    else asked.set(chatOf[key]!, [key])
  })
  return asked
}

/** How much of a chat's score is its own: that of its best message outside of the turns in which we were asked. */
function ownShare(view: SearchView, { best }: ChatScore, asked: number[] | undefined): number {
  const [first] = best
  if (!asked || !first) return 1
  const calls = asked
    .slice(0, MOST_CALLS)
    .map((key) => view.message(key))
    .filter(({ toolCalls }) => toolCalls?.some(isOwnCall))
    .map(({ index }) => index)
  if (calls.length === 0) return 1
  const own = best.find(({ key }) => {
    const { from, to } = turnOf(view, key)
    return !calls.some((index) => index >= from && index < to)
  })
  return Math.max(ECHO, (own?.score ?? 0) / first.score)
}

const MOST_CALLS = 20
const LONGEST_TURN = 200

/** From the request that a message belongs to, to the next one. */
function turnOf(view: SearchView, key: number): { from: number; to: number } {
  const { documents } = view
  const { label } = documents
  const isRequest = (each: number) => KINDS[label[each]! & 15] === 'request'
  let first = key
  for (let i = 0; i < LONGEST_TURN && !isRequest(first) && beforeOf(documents, first) !== 0; i++)
    first = beforeOf(documents, first)
  let last = afterOf(documents, key)
  for (let i = 0; i < LONGEST_TURN && last !== 0 && !isRequest(last); i++) last = afterOf(documents, last)
  return {
    from: view.saidIn(first).index,
    to: last === 0 ? Number.POSITIVE_INFINITY : view.saidIn(last).index,
  }
}
