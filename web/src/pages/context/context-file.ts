/** `GET /api/v1/context` */
export interface ContextFile {
  path: string
  exists: boolean
  content: string
  etag: string
  entries: { timestamp: string; title: string; sessionIds: string[] }[]
}
