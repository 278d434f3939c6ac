// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Narrowing, Chosen } from './shapes.ts'

export interface RecallInputs {
  get_first_request: {
    /** Chat id or unique prefix; default: the current chat */
    sessionId?: string
  }
  get_request: {
    /** Number of the request, 1 = first */
    index: number
    /** Chat id or unique prefix; default: the current chat */
    sessionId?: string
  }
  list_requests: {
    /** Chat id or unique prefix; default: the current chat */
    sessionId?: string
    /** First number, default 1 */
    from?: number
    /** How many, default 20 */
    limit?: number
  }
  gather_chats: {
    chatIds: string[]
    /** false: no tool calls */
    includeTools?: boolean
    /** Only what these said */
    roles?: ("user" | "assistant" | "system" | "tool")[]
    /** First message index, from 0 */
    from?: number
    /** Last message index */
    to?: number
    /** Characters, default 10000 */
    max_chars?: number
    /** From the previous answer */
    cursor?: string
  }
  list_chats: Narrowing & {
    /** Last days, or YYYY-MM-DD */
    time_window?: "7d" | "30d" | "60d" | "90d" | "all" | {
      start?: string | number
      end?: string | number
    }
    /** Part of the title */
    title?: string
    /** State of the last turn */
    status?: ("running" | "waiting" | "done" | "failed" | "cancelled")[]
    sort?: "updated" | "created" | "messages" | "title"
    /** How many, default 20 */
    limit?: number
    /** true: also sub-agent chats */
    subagents?: boolean
    /** From the previous answer */
    cursor?: string
  }
  resolve_ids: {
    /** Start of a chat id */
    chatIdPrefix?: string
    /** Start of a message id */
    messageIdPrefix?: string
    /** Results at most */
    limit?: number
  }
  collect_evidence: Chosen & {
    chatIds?: string[]
    /** Only these kinds */
    kinds?: ("citation" | "web" | "link" | "attachment" | "file" | "command" | "code")[]
    /** Characters, default 10000 */
    max_chars?: number
    /** From the previous answer */
    cursor?: string
  }
  usage_metrics: Chosen & {
    /** Also totals per group */
    group_by?: "day" | "hour" | "model" | "source" | "workspace" | "repository" | "tool" | "chat" | "subagent"
    chatIds?: string[]
    /** Git: owner/name or URL */
    repository?: string
    /** Person; me: the user */
    author?: string
    /** Computer; this: here */
    machine?: string
    /** Only calls of this tool */
    tool?: string
    /** e.g. Europe/Berlin */
    time_zone?: string
    /** Groups at most */
    limit?: number
  }
}
