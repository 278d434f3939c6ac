// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export interface SearchInputs {
  search_conversations: {
    /** What to find: words, "exact phrase", -excluded; or a list */
    intent_query?: string | string[]
    /** Same as intent_query */
    query?: string | string[]
    /** Regular expression, instead of words */
    regex?: string
    /** Last days, or YYYY-MM-DD */
    time_window?: "7d" | "30d" | "60d" | "90d" | "all" | {
      start?: string | number
      end?: string | number
    }
    /** First day, YYYY-MM-DD */
    dateFrom?: string | number
    /** Last day */
    dateTo?: string | number
    /** fuzzy: also word forms, parts */
    precision_mode?: "basic" | "fuzzy"
    /** auto: also related words */
    expand?: "off" | "auto"
    /** false: not in tool calls */
    include_tools_in_search?: boolean
    /** Default both */
    scope?: "content" | "title" | "both"
    /** Only what these said */
    role_filter?: ("user" | "assistant" | "system" | "tool")[]
    /** Not with these words */
    exclude_terms?: string[]
    /** all: only chats with every word */
    match?: "any" | "all"
    /** Chats at most, default 10 */
    limit_chats?: number
    /** Same as limit_chats */
    limit?: number
    /** Per chat, default 3 */
    limit_snippets_per_chat?: number
    /** Words around a hit, default 64 */
    snippet_window?: number
    /** Assistant, e.g. claude-code */
    source?: string | string[]
    /** Project folder: path or name */
    workspace?: string | string[]
    /** Model */
    model?: string | string[]
    /** Only starred chats */
    starred?: boolean
    /** Months, YYYY-MM */
    months?: string[]
    /** Git: owner/name or URL */
    repository?: string
    /** Person; me: the user */
    author?: string
    /** Computer; this: here */
    machine?: string
    /** date: newest first */
    sort?: "relevance" | "date"
    /** text: shorter */
    response_mode?: "json" | "text"
    /** From the previous answer */
    cursor?: string
    /** guidance.state of the previous answer */
    state?: {

    }
  }
}
