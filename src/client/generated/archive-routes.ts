// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Workspace, Origins, Search } from './route-shapes.ts'

export interface ArchiveRoutes {
  'GET /api/v1/overview': {
    version: string
    sample: boolean
    archive: {
      chats: number
      messages: number
      bytes: number
      lastSyncAt?: number
      /** Nothing can be written to it here */
      readOnly?: boolean
    }
    sources: {
      source: string
      name: string
      chats: number
      messages: number
      newestAt?: number
    }[]
    /** How the page marks each assistant, by its id */
    badges: { [name: string]: {
      letters: string
      colour: string
    } }
    sync: {
      state: "off" | "starting"
    } | {
      state: "reading"
      done: number
      total: number
    } | {
      state: "in step"
      /** The process that keeps it so, where it is another */
      by?: number
    } | {
      state: "failed"
      reason: string
    }
    workspaces: Workspace[]
    /** What chats can be narrowed to by where they come from, the most used first */
    origins: Origins
    agent: {
      ready: boolean
    }
    /** Somebody who may read these spaces and nothing else */
    guest?: {
      spaces: string[]
    }
  }
  'GET /api/v1/places': {
    workspaces: Workspace[]
    /** What chats can be narrowed to by where they come from, the most used first */
    origins: Origins
  }
  'GET /api/v1/states': { [name in "running" | "waiting" | "done" | "failed" | "cancelled"]?: number }
  'GET /api/v1/sources': {
    sources: {
      source: string
      name: string
      on: boolean
      looked: number
      /** Systems that it runs on, where this is none of them */
      onlyOn?: string[]
      found: string[]
      unreadable: string[]
      formats: {
        format: string
        chats: number
      }[]
      overview?: {
        source: string
        chats: number
        messages: number
        requests: number
        files: number
        /** Records that could not be read */
        problems: number
        newestAt?: number
        lastSyncAt?: number
      }
      /** What the assistant will delete, and what is only in the archive */
      vanishing?: {
        /** After which the assistant deletes a chat */
        days?: number
        setting?: string
        /** Where the setting is, or would be */
        settingFile?: string
        /** Set there, and not only by default */
        isSet?: boolean
        /** When the next of its files may go */
        nextAt?: number
        /** Files that may go within a week */
        soon: number
        soonUnarchived: number
        /** Chats whose files are gone already */
        onlyHere: number
      }
      problems: {
        problem: string
        hint: string
        /** The file or folder that it is about */
        file?: string
        /** What it is, for whoever says it in other words */
        kind?: "unreadable" | "records" | "more"
        /** Of records, or of files */
        count?: number
        reason?: string
      }[]
    }[]
  }
  'POST /api/v1/facets': {
    source: {
      value: string
      chats: number
    }[]
    workspace: {
      value: string
      chats: number
    }[]
    model: {
      value: string
      chats: number
    }[]
    role: {
      value: string
      chats: number
    }[]
    month: {
      value: string
      chats: number
    }[]
  }
  'GET /api/v1/searches': {
    searches: Search[]
  }
}
