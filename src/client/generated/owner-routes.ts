// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Search, Token, SettingsAnswer, ModelSettingsAnswer, Question } from './route-shapes.ts'

export interface OwnerRoutes {
  'PUT /api/v1/searches': Search
  'DELETE /api/v1/searches/{name}': {
    removed: string
  }
  'PUT /api/v1/chats/{chat}/notes': {
    title: string
    name?: string
    pinned: boolean
    archived: boolean
  }
  'GET /api/v1/tokens': {
    tokens: Token[]
  }
  'POST /api/v1/tokens': {
    id: string
    name: string
    createdAt: number
    expiresAt?: number
    scopes: ("read" | "context" | "export" | "ask" | "approve")[]
    token: string
  }
  'DELETE /api/v1/tokens/{token}': {
    revoked: Token
  }
  'GET /api/v1/settings': SettingsAnswer
  'PUT /api/v1/settings': SettingsAnswer
  'POST /api/v1/sample': {
    sample: boolean
  }
  'GET /api/v1/backups': {
    /** Where the weekly ones and those made here are */
    folder: string
    /** How many are kept there */
    kept: number
    /** What they take there together */
    bytes: number
    backups: {
      name: string
      /** `before-update`: a plain copy, made before an older archive was brought up to date */
      kind: "backup" | "before-update"
      file: string
      createdAt: number
    }[]
  }
  'POST /api/v1/backups': {
    name: string
    file: string
    /** Of the archive */
    bytes: number
    /** What this backup added to its folder */
    addedBytes: number
    removed: string[]
  }
  'GET /api/v1/hub': {
    joined: boolean
    address?: string
    person?: string
    machine?: string
    reachable?: boolean
    /** In how many milliseconds the server answered */
    answeredMs?: number
    readOnly?: boolean
    trouble?: {
      code: string
      message: string
      hint?: string
    }
    spaces: {
      space: string
      kind: "own" | "team"
      sealed: boolean
      /** The database of its chats, where it is not the hub’s own */
      home?: string
      shares: {
        workspace?: string
        repository?: string
        all?: boolean
      }[]
      /** Messages to be looked at for pushing */
      waiting: number
      /** How far the first push is, in messages of this machine */
      sending?: {
        done: number
        all: number
      }
      /** How far a pull is, in changes of the space */
      receiving?: {
        done: number
        all: number
      }
      pulledChats: number
      pulledMessages: number
      /** How far behind the server this machine is */
      lag?: number
      pushedAt?: number
      pulledAt?: number
      unreadable: number
      trouble?: {
        code: string
        message: string
        hint?: string
        since: number
      }
    }[]
  }
  'POST /api/v1/hub/share': {
    shared: boolean
    preview: {
      space: string
      kind: "own" | "team"
      sealed: boolean
      readers: string[]
      chats: number
      messages: number
      from?: number
      to?: number
      /** Messages that secrets are taken out of before they are sent */
      redacted: number
      /** With what tools answered */
      answers: boolean
      titles: string[]
    }
  }
  'POST /api/v1/hub/unshare': {
    removed: number
  }
  'PUT /api/v2/providers/{provider}': {
    id: string
    name: string
    /** Where its key is */
    key: "keychain" | "file" | "environment" | "none"
    default: boolean
    model?: string
    /** How many it told of */
    models?: number
    notes: string[]
  }
  'DELETE /api/v2/providers/{provider}': {
    removed: boolean
  }
  'DELETE /api/v2/providers/{provider}/key': {
    removed: boolean
  }
  'POST /api/v2/providers/{provider}/test': {
    /** How many it told of; many that are like OpenAI do not tell */
    models?: number
    /** Why it could not be asked */
    note?: string
  }
  'GET /api/v2/model-settings': ModelSettingsAnswer
  'PUT /api/v2/model-settings': ModelSettingsAnswer
  'GET /api/v1/questions': {
    questions: Question[]
  }
  'POST /api/v1/questions/{id}': Question
  'PUT /api/v2/mcp/inputs/{name}': {
    kept: "keychain" | "file"
  }
}
