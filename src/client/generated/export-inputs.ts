// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export interface ExportInputs {
  export_chats: {
    chatIds?: string[]
    /** Words that find the chats */
    query?: string
    /** Assistant, e.g. claude-code */
    source?: string
    /** Project folder: path or name */
    workspace?: string
    /** Last days, or YYYY-MM-DD */
    time_window?: "7d" | "30d" | "60d" | "90d" | "all" | {
      start?: string | number
      end?: string | number
    }
    format: "markdown" | "json" | "jsonl" | "finetune-openai" | "finetune-anthropic" | "html"
    /** File to write; else the text is returned */
    path?: string
    /** Always on for agents */
    redact?: boolean
    /** true: overwrite the file */
    force?: boolean
    /** finetune: an example each */
    examples?: "chat" | "turn"
  }
}
