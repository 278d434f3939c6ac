import { openMutations } from '../codex/family.ts'
import { surveyOf } from '../codex/survey.ts'
import type { Survey } from '../coverage/survey.ts'

const codex = surveyOf(openMutations)

export const survey: Survey = {
  ...codex,
  // What the program shows of itself.
  ignored: new Set([...codex.ignored, 'response_item/trae_extra_info']),
}
