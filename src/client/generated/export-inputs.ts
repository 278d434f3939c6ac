// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Chosen } from './shapes.ts'

export interface ExportInputs {
  export_chats: Chosen & {
    chatIds?: string[]
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
