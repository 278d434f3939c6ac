// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { ResponsesAnswer } from './route-shapes.ts'

export interface OpenaiRoutes {
  'POST /v1/chat/completions': {
    id: string
    object: "chat.completion"
    created: number
    model: string
    choices: {
      index: number
      message: {
        role: "assistant"
        content: string | null
        refusal: null
        tool_calls?: {
          id: string
          type: "function"
          function: {
            name: string
            arguments: string
          }
        }[]
      }
      finish_reason: "stop" | "length" | "content_filter" | "tool_calls"
      logprobs: null
    }[]
    usage: {
      prompt_tokens: number
      completion_tokens: number
      total_tokens: number
      prompt_tokens_details: {
        cached_tokens: number
      }
      completion_tokens_details: {
        reasoning_tokens: number
      }
    }
  }
  'POST /v1/responses': ResponsesAnswer
  'GET /v1/responses/{id}': ResponsesAnswer
  'DELETE /v1/responses/{id}': {
    id: string
    object: "response"
    deleted: true
  }
  'GET /v1/models': {
    object: string
    data: {
      id: string
      object: string
      created: number
      owned_by: string
    }[]
  }
}
