import { RecollectError } from '../../src/model/errors.ts'

/** In place of what only the page and the command line read (`src/service/reader.ts`), which the extension does not bring along. */
async function unread(): Promise<never> {
  throw new RecollectError(
    'INVALID_ARGUMENT',
    'The extension does not read this.',
    'Run `recollect` in a terminal.',
  )
}

export {
  unread as checkedCitations,
  unread as facetsOf,
  unread as findInChat,
  unread as sourceReports,
  unread as stepsOf,
  unread as vanishing,
}
