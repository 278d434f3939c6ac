// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { ContextAnswers } from './context-answers.ts'
import type { ExportAnswers } from './export-answers.ts'
import type { RecallAnswers } from './recall-answers.ts'
import type { SearchAnswers } from './search-answers.ts'

/** What each capability answers. */
export interface Answers extends RecallAnswers, SearchAnswers, ExportAnswers, ContextAnswers {}
