// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { ChatsAnswer } from './route-shapes.ts'

export interface ForgetRoutes {
  'DELETE /api/v1/chats/{chat}': ChatsAnswer
  'POST /api/v1/forget': ChatsAnswer
}
