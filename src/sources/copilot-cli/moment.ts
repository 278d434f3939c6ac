import type { Message } from '../../model/chat.ts'
import { type Json, words } from '../json.ts'
import type { Found } from '../source.ts'
import { agentChat, type ChatState, type EventsState, sessionChat } from './state.ts'

/** Finds the text of a numbered checkpoint file, where the caller has such files. */
export type CheckpointText = (checkpoint: number) => string | undefined

/** Finds the bytes of an asset, in base64, by where its event stands, where the caller has the file. */
export type AssetData = (offset: number) => string | undefined

/** One event and all that its handler needs. */
export interface Moment {
  state: EventsState
  /** The chat that the event belongs to: the session's own or a sub-agent's. */
  chat: ChatState
  data: Json
  id: string
  at: number | undefined
  offset: number
  found: Found[]
  checkpointText: CheckpointText
  assetData: AssetData
}

export type Said = Omit<Message, 'id' | 'order' | 'createdAt'>

/** Tells a message, and its chat first where that is new. */
export function say(moment: Moment, message: Said): Message {
  const { state, chat, found } = moment
  const told = placed(moment, message)
  if (!chat.said) {
    chat.said = true
    found.push({ chat: chat === state.session ? sessionChat(state) : agentChat(state, chat) })
  }
  found.push({ chatId: chat.id, message: told })
  return told
}

/** A message where and when its event stands. */
export function placed({ chat, id, offset, at }: Moment, message: Said): Message {
  chat.createdAt ??= at
  if (at !== undefined && at > (chat.updatedAt ?? 0)) chat.updatedAt = at
  chat.changed = true
  return { id, order: offset, createdAt: at, ...message }
}

export function callKey(chat: ChatState, call: string | undefined): string {
  return `${chat.id} ${call ?? ''}`
}

export function modelName(value: unknown): string | undefined {
  return words(value)?.slice(0, 200)
}
