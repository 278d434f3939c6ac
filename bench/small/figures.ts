import { gateFigure, redactionFigure } from './call-figures.ts'
import type { Figure } from './measured.ts'
import { prepared } from './prepared.ts'
import { regexFigures, searchFigures } from './search-figures.ts'
import { serverFigures } from './server-figures.ts'
import { syncFigures } from './sync-figures.ts'

/** Everything that is compared, in the order in which it is measured. What they need is made once, when it is first needed. */
export function figures(temp: string): Figure[] {
  const small = prepared(temp)
  return [
    ...syncFigures(small),
    ...searchFigures(small),
    ...regexFigures(small),
    redactionFigure(),
    gateFigure(small),
    ...serverFigures(small),
  ]
}
