/**
 * The memory that searches work in, kept from one to the next: filling megabytes with zeros for each
 * would take longer than the search. A search leaves it as it found it, all zeros but for the lists.
 */
export interface Scratch {
  /** By message: its score, and the parts of the query it holds as bits. */
  score: Float32Array
  units: Uint32Array
  final: Float32Array
  /** The list of messages found. */
  found: Int32Array
  /** By chat. */
  chatTimes: Float32Array
  chatWords: Float32Array
  chatUnits: Uint32Array
  chatHits: Uint32Array
  chatFlags: Uint8Array
  chatScore: Float32Array
  /** When the newest message found in it was said, in seconds, as near as these numbers go. */
  chatNewest: Float32Array
  /** The best three messages' scores. */
  best: [Float32Array, Float32Array, Float32Array]
  /** Lists of chats. */
  chatMet: Int32Array
  foundChats: Int32Array
}

let kept: Scratch | undefined

export function scratchFor(messages: number, chats: number): Scratch {
  if (kept && kept.score.length >= messages && kept.chatWords.length >= chats) return kept
  const m = Math.ceil(messages * 1.05) + 1
  const c = Math.ceil(chats * 1.05) + 1
  kept = {
    score: new Float32Array(m),
    units: new Uint32Array(m),
    final: new Float32Array(m),
    found: new Int32Array(m),
    chatTimes: new Float32Array(c),
    chatWords: new Float32Array(c),
    chatUnits: new Uint32Array(c),
    chatHits: new Uint32Array(c),
    chatFlags: new Uint8Array(c),
    chatScore: new Float32Array(c),
    chatNewest: new Float32Array(c),
    best: [new Float32Array(c), new Float32Array(c), new Float32Array(c)],
    chatMet: new Int32Array(c),
    foundChats: new Int32Array(c),
  }
  return kept
}

/** Something went wrong in the middle: nothing is known of what it holds. */
export function dropScratch(): void {
  kept = undefined
}

/** Where one in so many messages was found, all is set to zero at once: that is quicker. */
const MANY = 16

/** Zeros again wherever these messages and chats are. */
export function cleanScratch({
  scratch,
  messages,
  chats,
  listed,
}: {
  scratch: Scratch
  messages: number
  chats: number
  listed: number[]
}): void {
  const {
    score,
    units,
    final,
    found,
    chatWords,
    chatUnits,
    chatHits,
    chatFlags,
    chatScore,
    chatNewest,
    best,
    foundChats,
  } = scratch
  if (messages > score.length / MANY) {
    for (const list of [score, units, final]) list.fill(0)
  } else {
    for (let i = 0; i < messages; i++) {
      const key = found[i]!
      score[key] = 0
      units[key] = 0
      final[key] = 0
    }
    for (let i = 0; i < listed.length; i++) final[listed[i]!] = 0
  }
  const [first, second, third] = best
  for (let i = 0; i < chats; i++) {
    const chat = foundChats[i]!
    chatWords[chat] = 0
    chatUnits[chat] = 0
    chatHits[chat] = 0
    chatFlags[chat] = 0
    chatScore[chat] = 0
    chatNewest[chat] = 0
    first[chat] = 0
    second[chat] = 0
    third[chat] = 0
  }
}
