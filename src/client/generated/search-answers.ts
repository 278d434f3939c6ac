// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Json } from './shapes.ts'

export interface SearchAnswers {
  search_conversations: {
    status: string
    iterations_used: number
    confidence: number
    totalFound: number
    topChatIds: string[]
    results: {
      title: string
      /** The assistant, e.g. claude-code */
      source: string
      workspace?: string
      /** Its git remote as host/owner/name */
      repository?: string
      /** Whose it is, where it is not of this machine */
      author?: string
      /** Which it was read on, where it is not this one */
      machine?: string
      chatId: string
      sessionId: string
      date: string
      updatedAt?: number
      relevance: number
      hits: number
      timeRange: {
        from?: number
        to?: number
      }
      /** Starred */
      pinned?: true
      snippets: {
        messageId: string
        index: number
        role: string
        type: string
        /** Epoch milliseconds */
        createdAt?: number
        text: string
        source: "content" | "title" | "tool"
        /** Where in the text the words are */
        marks: [number, number][]
        relevance: number
      }[]
    }[]
    guidance: {
      stopIf: string
      nextActions: {
        tool: string
        args: { [name: string]: Json }
        why: string
      }[]
      state: {
        expandedTerms: string[]
        excludes: string[]
        iteration: number
        tried: string[]
      }
    }
    tried?: {
      word: string
      instead: string[]
    }[]
    translated?: {
      word: string
      as: string[]
    }[]
    timeFilter?: {
      words: string
      from?: number
      to?: number
      lifted?: true
    }
    nextCursor?: string
    text?: string
    notes?: string[]
  }
}
