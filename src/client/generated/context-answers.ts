// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export interface ContextAnswers {
  read_context: {
    content: string
    metadata: {
      path: string
      size: number
      lastModified: string
      sessionCount: number
      truncated?: boolean
    }
  }
  append_context: {
    success: boolean
    timestamp: string
    path: string
    /** Secrets that were masked before it was written */
    redacted?: number
  }
  init_context: {
    success: boolean
    path: string
    template: "standard"
  }
  export_conversation: {
    success: boolean
    exported: {
      title: string
      messageCount: number
      timestamp: string
    }
    entry: "added" | "updated" | "unchanged"
    note: string
    path: string
  }
  get_context_summary: {
    path: string
    exists: boolean
    stats: {
      size: number
      lines: number
      words: number
      sessions: number
    }
    lastModified: string
    recentSessions: {
      timestamp: string
      preview: string
    }[]
  }
  get_resume_command: {
    success: boolean
    command: string
    sessionId: string
    source: string
    updatedAt?: number
    workspace?: string
  }
  export_to_memory: {
    success: boolean
    target: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    path: string
    diff: string
    applied: boolean
  }
  import_from_memory: {
    success: boolean
    from: "agents-md" | "copilot-instructions" | "claude-md" | "memory-dir"
    read: string
    path: string
    entry: "added" | "updated" | "unchanged"
    diff: string
    applied: boolean
  }
  archive_context: {
    success: boolean
    path: string
    archivePath: string
    archived: number
    kept: number
  }
}
