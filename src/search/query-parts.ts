/** A term to look for. Terms of one unit stand for the same part of the query. */
export interface QueryTerm {
  term: string
  unit: number
  /** As it was typed, for messages to the reader and for corrections. */
  typed: string
  weight: number
  /** Every term that begins so. */
  prefix?: true
  /** These, where it is a prefix. */
  begun?: string[]
  /** It is a part of this name. */
  partOf?: string
  /** Adds to what other terms find, and finds nothing itself. */
  raises?: true
  /** What counts as one word with it: translations, corrections. */
  also?: Also[]
  /** Where these are corrections, how sure it is that one of them was meant. */
  sure?: number
}

export interface Also {
  term: string
  /** How much it counts beside the word that was typed. */
  weight: number
}

/** Words that stand one after the other. */
export interface Phrase {
  unit: number
  typed: string
  terms: string[]
}

export interface Query {
  terms: QueryTerm[]
  phrases: Phrase[]
  /** Literal texts that no chat found may contain. */
  excluded: string[]
  /** How many parts `match: all` asks for. */
  units: number
  /** What was typed, without what is excluded: for word pairs and dates. */
  text: string
  /** The same in the language that most of it was found in, where that is another one. */
  inTranslation?: string
  /** Names, paths and codes in it, to be found as they stand. */
  names: string[]
}
