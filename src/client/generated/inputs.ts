// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { ContextInputs } from './context-inputs.ts'
import type { ExportInputs } from './export-inputs.ts'
import type { RecallInputs } from './recall-inputs.ts'
import type { SearchInputs } from './search-inputs.ts'

/** What each capability takes. */
export interface Inputs extends RecallInputs, SearchInputs, ExportInputs, ContextInputs {}
