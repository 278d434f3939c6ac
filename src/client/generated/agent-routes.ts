// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { Budget, ChatAnswer, Approval, StopAnswer, Provider } from './route-shapes.ts'
import type { Json } from './shapes.ts'

export interface AgentRoutes {
  'POST /api/v1/chat': ChatAnswer
  'POST /api/v1/chat/{sessionId}/resume': ChatAnswer
  'POST /api/v1/runs': {
    sessionId: string
  }
  'POST /api/v1/sessions/{sessionId}/resume': {
    sessionId: string
  }
  'POST /api/v1/sessions/{sessionId}/stop': StopAnswer
  'GET /api/v1/sessions': {
    sessions: StopAnswer[]
    /** Where the next page begins; none on the last */
    next?: string
  }
  'GET /api/v1/sessions/{sessionId}': StopAnswer & {
    messages: {
      role: "user" | "assistant" | "tool"
      text: string
      createdAt: number
      /** Of a request: what `instead` takes */
      id?: string
      toolCalls?: {
        id: string
        tool: string
        args?: Json
      }[]
      toolResult?: {
        id: string
        tool: string
        success: boolean
        result: string
      }
    }[]
  }
  'DELETE /api/v1/sessions/{sessionId}': {
    deleted: string
  }
  'GET /api/v1/approvals': {
    approvals: Approval[]
  }
  'POST /api/v1/approvals/{id}': Approval
  'GET /api/v2/providers': {
    providers: {
      id: string
      name: string
      ready: boolean
      /** Why not, and what to do */
      problem?: string
      defaultModel?: string
      url?: string
      /** Where its key comes from */
      key: "environment" | "keychain" | "file" | "missing" | "none needed"
      /** It runs on this machine */
      local: boolean
      /** The person set it up: it is none of those that everybody has */
      own: boolean
      /** How many tokens its models are to read at most, where set */
      context?: number
    }[]
  }
  'GET /api/v2/models': {
    models: {
      id: string
      provider: string
      tools: boolean
      /** US dollars per million tokens */
      price?: {
        input: number
        output: number
      }
      /** How many tokens it reads, of a model on this machine */
      context?: number
      /** Whether it takes images, where known */
      images?: boolean
    }[]
  }
  'GET /api/v2/spending': {
    day: string
    providers: Provider[]
    budget?: Budget
  }
  'GET /api/v2/mcp/servers': {
    servers: {
      id: string
      name: string
      description?: string
      status: "ready" | "starting" | "failed" | "disabled"
      problem?: string
      transport: "stdio" | "http" | "sse" | "own"
      tools: number
      /** What has to be entered before it can be started: `PUT /api/v2/mcp/inputs/{name}` */
      wants?: {
        name: string
        description?: string
      }[]
      /** The command that signs in to it, where it wants that */
      login?: string
    }[]
  }
  'GET /api/v2/mcp/tools': {
    tools: {
      name: string
      server: string
      description: string
      available: boolean
      approval: "always" | "ask" | "never"
      /** A JSON schema */
      inputSchema: Json
    }[]
  }
}
