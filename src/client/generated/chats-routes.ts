// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { CitationsAnswerCitation } from './route-shapes.ts'
import type { ChatHeader, ReadMessage, Relative } from './shapes.ts'

export interface ChatsRoutes {
  'GET /api/v1/chats/{chat}': {
    chat: Omit<ChatHeader, 'parentId' | 'forkOf' | 'subagent'> & {
      sourceName: string
      filePaths: string[]
    }
    relatives: {
      parent?: Relative
      original?: Relative
      subagents: Relative[]
      forks: Relative[]
    }
    requests: {
      n: number
      index: number
      preview: string
      createdAt?: number
    }[]
    sizes: number[]
    /** What was asked and finally answered: indexes of messages */
    focus: number[]
  }
  'POST /api/v1/citations': {
    citations: CitationsAnswerCitation[]
  }
  'GET /api/v1/chats/{chat}/messages': {
    messages: ReadMessage[]
    total: number
  }
  'GET /api/v1/chats/{chat}/messages/{index}': {
    message: ReadMessage
  }
  'GET /api/v1/chats/{chat}/steps': {
    /** At most 300; of more, every second, third … */
    steps: {
      index: number
      preview: string
    }[]
    /** How many there are */
    all: number
  }
  'GET /api/v1/chats/{chat}/find': {
    hits: {
      index: number
      count: number
    }[]
    /** What was found, as it is written in the chat, in small letters */
    words: string[]
  }
}
