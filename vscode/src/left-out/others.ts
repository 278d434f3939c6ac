import { RecollectError } from '../../../src/model/errors.ts'

/** In place of what only the page, the command line and a hub's exchange ask for, which the extension does not bring along. */
async function unread(): Promise<never> {
  throw new RecollectError(
    'INVALID_ARGUMENT',
    'The extension does not do this.',
    'Run `recollect` in a terminal.',
  )
}

export {
  unread as applyRemote,
  unread as asGuest,
  unread as changesSince,
  unread as changesWaiting,
  unread as check,
  unread as checkContext,
  unread as chatsByFile,
  unread as checkedCitations,
  unread as countSecrets,
  unread as eraseAllVectors,
  unread as facetsOf,
  unread as familyOf,
  unread as filesOfChats,
  unread as findInChat,
  unread as forgottenChats,
  unread as letBack,
  unread as movePushCursor,
  unread as noteNotRevived,
  unread as noteRevived,
  unread as pushFromTheStart,
  unread as readDocument,
  unread as redactAtRest,
  unread as redactRuns,
  unread as removeRemote,
  unread as restrictToSpaces,
  unread as saveSpace,
  unread as saveVectors,
  unread as sourceReports,
  unread as spaces,
  unread as stepsOf,
  unread as textsOf,
  unread as vanishing,
  unread as withoutVector,
  unread as wordsElsewhere,
  unread as writeDocument,
}
