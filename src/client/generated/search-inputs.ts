// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { SearchConversationsInput } from './shapes.ts'

export interface SearchInputs {
  search_conversations: SearchConversationsInput
}
