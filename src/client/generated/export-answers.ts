// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export interface ExportAnswers {
  export_chats: {
    format: string
    chats: number
    messages: number
    path?: string
    bytes?: number
    text?: string
    truncated?: string
    notFound?: {
      id: string
      error: string
    }[]
    notes?: string[]
  }
}
