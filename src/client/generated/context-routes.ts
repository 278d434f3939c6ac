// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.

export interface ContextRoutes {
  'GET /api/v1/context': {
    path: string
    exists: boolean
    content: string
    etag: string
    entries: {
      timestamp: string
      title: string
      sessionIds: string[]
    }[]
  }
  'PUT /api/v1/context': {
    etag: string
  }
}
