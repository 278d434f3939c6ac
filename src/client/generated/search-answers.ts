// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Json, ListedChat, Snippet } from './shapes.ts'

export interface SearchAnswers {
  search_conversations: {
    status: string
    iterations_used: number
    confidence: number
    totalFound: number
    topChatIds: string[]
    results: (Pick<ListedChat, 'title' | 'source' | 'workspace' | 'repository' | 'author' | 'machine' | 'chatId'> & {
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
      snippets: Snippet[]
    })[]
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
