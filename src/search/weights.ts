/**
 * The numbers of the ranking, tuned on the sets named in docs/benchmarks.md. Few on purpose: each
 * is here because taking it away was measured to lose (bench/quality/run.ts takes parts away by these).
 */
export const weights = {
  /** BM25 of messages: how soon repetition stops to count, and how much length is held against. */
  k1: 0.9,
  b: 0.75,
  /** The same for whole chats. */
  chatK1: 4,
  chatB: 0.75,
  /** What was thought, and what tools were asked and answered, beside what was said. */
  thought: 0.3,
  tools: 0.3,
  /** A title counts in its chat like a word said twice. */
  title: 2,
  /** More for messages that hold several of the words. */
  coverage: 0.2,
  /** Words that stand together in the query and in the message. */
  pairs: 0.8,
  /** What the person typed against what was answered; and everything else. */
  request: 1.5,
  other: 0.6,
  /** Shares of the scores of the messages before and after. */
  before: 0.1,
  after: 0.4,
  /** Share of the chat's score in a message's. */
  chat: 0.5,
  /** Chat score = words of the whole chat + its best message + its three best. */
  best: 4,
  three: 2,
  /**
   * What a message gains by what it means, as shares of the best message's score by words: as much as it is
   * like the query as a whole, and as its words are like the query's.
   */
  whole: 0.5,
  words: 1,
  /** Share of a question's score in what the person said next. */
  reply: 0.5,
  /** Words that were tried instead of unknown ones, and words that the last one begins. */
  corrected: 0.8,
  begun: 0.8,
  /** What a word is in another language; and where the word itself is found too. */
  translated: 0.7,
  translatedToo: 0.1,
  /** A common name that a chat has as it stands, in a chat's score. */
  name: 0.5,
  /** The same where hardly anything but names is asked for: nothing that has only pieces comes before it. */
  wholeName: 10,
  /** Words that mean something like those asked for, beside them. More loses: 0.25 costs developers' chats 0.005. */
  related: 0.1,
  /**
   * What the message that means most like the query has of the best message's score by words. Small: with a
   * weak model it neither gains nor loses, and as much as the words have would lose (docs/decisions/0004).
   */
  meaning: 0.3,
  /** Tie-break: what a chat of today has over one of long ago. */
  recency: 0.02,
}
