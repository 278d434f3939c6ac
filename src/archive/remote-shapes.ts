import type { Chat, Message } from '../model/chat.ts'
import type { ArchivedChat, ArchivedMessage } from './chat-shapes.ts'

/** A chat of somebody else's machine, or of another one of this person, as far as a page of its space tells it. */
export interface RemoteChat {
  author: string
  machine: string
  /** With the ids its own assistant gave it. `resume` is never taken over. */
  chat: Chat
  /** New or changed ones; `order` says where each stands among all messages of the chat. */
  messages: Message[]
  /** Ids of messages that are no longer in it. */
  removed?: string[]
}

/** A chat that its owner had forgotten, or that was withdrawn from the space. */
export interface RemoteGone {
  author: string
  source: string
  /** The one its own assistant gave it. */
  id: string
}

/** What a pull told, from one number of the space's order to another. */
export interface RemotePage {
  space: string
  /** Of a chat that comes through several spaces, an own space's telling is shown: it is the whole one. */
  kind: 'own' | 'team'
  /** Where the space's pull cursor has to be; otherwise nothing is written. */
  from: number
  /** Where it is afterwards. */
  to: number
  chats: RemoteChat[]
  gone?: RemoteGone[]
}

export interface RemoteResult {
  /** False where the cursor was elsewhere, because another process pulled the same: ask `spaces` again. */
  applied: boolean
  /** Keys of the chats that were changed. */
  chats: Set<number>
  added: number
  changed: number
  /** Chats that were erased. */
  erased: number
  /** Chats of the page that are not shown: read on this machine too, forgotten here, or told by a better space. */
  hidden: number
  /** Messages that are no messages. */
  skipped: number
}

/** All that came through a space (the space is left), or some chats of it. */
export interface RemoteRemoval {
  space: string
  chats?: RemoteGone[]
}

/** What is remembered of a space. */
export interface SpaceState {
  space: string
  /** The number up to which it was pulled. */
  pulled: number
  /** Up to where local changes were pushed; none before the first push. */
  pushed?: PushCursor
  /** Whatever else the hub wants to keep, as JSON. */
  state?: unknown
  /** Chats and messages that are here because of it. */
  chats: number
  messages: number
}

/** A place in the changes of the chats read on this machine. Only `changesSince` makes and reads it. */
export type PushCursor = string

/** A chat as it is now, with those of its messages that are new or changed since a cursor. */
export interface LocalChange {
  chat: ArchivedChat
  /** `order` is the place in the chat, so that it is the same order elsewhere; messages taken back are `undone`. */
  messages: ArchivedMessage[]
}

/** What is no longer there: a chat, or one message of it. To be told before the changes of the same answer. */
export interface LocalGone {
  source: string
  /** The one its assistant gave it. */
  id: string
  /** Whose it was, where it was pulled: who forgets a chat of another machine of theirs means it everywhere. */
  author?: string
  /** Only this message of it. */
  message?: string
}

export interface LocalChanges {
  gone: LocalGone[]
  chats: LocalChange[]
  cursor: PushCursor
  /** Nothing is left after this. */
  done: boolean
}

export interface ChangesOptions {
  /** About so many messages at once; 1,000 without it. */
  limit?: number
  /** Of other chats nothing is read. */
  wants?: (chat: ArchivedChat) => boolean
}
