// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Parent, Citation } from './route-shapes.ts'
import type { Message } from './shapes.ts'

export interface ChatsRoutes {
  'GET /api/v1/chats/{chat}': {
    chat: {
      id: string
      /** The assistant, e.g. claude-code */
      source: string
      title: string
      workspace?: string
      /** Its git remote as host/owner/name */
      repository?: string
      branch?: string
      /** Whose it is, where it is not of this machine */
      author?: string
      /** Which it was read on, where it is not this one */
      machine?: string
      /** Epoch milliseconds */
      createdAt?: number
      /** Epoch milliseconds */
      updatedAt?: number
      /** The command to resume it */
      resume?: string
      status?: "running" | "waiting" | "done" | "failed" | "cancelled"
      format?: string
      models: string[]
      messageCount: number
      requestCount: number
      /** Starred by its owner */
      pinned?: true
      sourceName: string
      filePaths: string[]
    }
    relatives: {
      parent?: Parent
      original?: Parent
      subagents: Parent[]
      forks: Parent[]
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
    citations: Citation[]
  }
  'GET /api/v1/chats/{chat}/messages': {
    messages: Message[]
    total: number
  }
  'GET /api/v1/chats/{chat}/messages/{index}': {
    message: Message
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
