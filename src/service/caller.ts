import type { Scope } from '../platform/scopes.ts'
import type { FreshChat } from '../recall/live.ts'

/**
 * Who asks. `owner`: the person at the terminal, at the page's own session, in VS Code's own views.
 * `agent`: a model, over MCP, as a language-model tool, or inside our own agent. `program`: whoever
 * comes with a token over REST.
 */
export type CallerKind = 'owner' | 'agent' | 'program'

/** Made by the face from what its protocol proves, never from what a model writes into arguments. */
export interface Caller {
  kind: CallerKind
  /** Of the token it came with; missing where no token was needed. */
  scopes?: readonly Scope[]
  /** What it calls itself. */
  client?: string
  /** The source id of the assistant that it is. */
  assistant?: string
  /** It is an assistant, which the name of its client tells. */
  isAssistant?: boolean
  /** The folders it named; it works in the first. */
  roots?: readonly string[]
  /** The dialog that the call came from, where the host tells. */
  dialog?: string
  /** That of the person, where the host tells both and it is a sub-agent that calls. */
  userDialog?: string
  /** The id that the model's call has, where the host tells. */
  callId?: string
  /** When the client started us: then our environment and the processes before us are its own. */
  startedUsAt?: number
  /** What the host shows of a dialog and has not written to its file yet. */
  shown?: FreshChat
  /** The most characters an answer may have; missing where nobody cuts. */
  budget?: number
  /** The budget was chosen by a person: as much is told as fits into it. */
  isBudgetChosen?: boolean
  /** It counts bytes: a text in another script than Latin is two or three times as long. */
  inBytes?: boolean
  /** When the call reached us, where it was handed on since. */
  askedAt?: number
  /** It does not want the answer any more. */
  signal?: AbortSignal
  /** Is told how far long work has come. */
  progress?: (done: number, of: number) => void
  /** The owner asked to see passwords and keys as they are. */
  reveal?: boolean
}
