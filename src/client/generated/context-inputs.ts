// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export interface ContextInputs {
  read_context: {
    /** Folder; default: the one you work in */
    workspace?: string
    format?: "markdown" | "plain"
    /** Only the last n entries */
    lastSessions?: number
    /** Default: what fits an answer */
    maxBytes?: number
  }
  append_context: {
    /** The entry, in Markdown */
    content: string
    /** Folder; default: the one you work in */
    workspace?: string
    /** Default: the first line */
    title?: string
  }
  init_context: {
    /** Folder; default: the one you work in */
    workspace?: string
    projectName?: string
    projectDescription?: string
  }
  export_conversation: {
    /** Chat id, unique prefix, or "current" */
    sessionId: string
    /** Folder; default: the one you work in */
    workspace?: string
    format?: "summary" | "full"
  }
  get_context_summary: {
    /** Folder; default: the one you work in */
    workspace?: string
  }
  get_resume_command: {
    /** Folder; default: the one you work in */
    workspace?: string
    sessionId?: string
  }
  export_to_memory: {
    /** Folder; default: the one you work in */
    workspace?: string
    /** Default: the first that exists */
    target?: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    /** false (default): only show the diff */
    apply?: boolean
  }
  import_from_memory: {
    /** Folder; default: the one you work in */
    workspace?: string
    /** Default: the first that exists */
    from?: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    /** false (default): only show the diff */
    apply?: boolean
  }
  archive_context: {
    /** Folder; default: the one you work in */
    workspace?: string
    /** Entries to keep, default 20 */
    keepSessions?: number
  }
}
