/** Chats that are planted before VS Code starts, because no assistant writes such: see ../place.ts. */

/** An assistant greeted, the person never said anything. */
export const ONLY_ANSWERS = 'aaaaaaaa-0000-4000-8000-000000000001'
/** The archive knows that it exists, and nothing that was said in it. */
export const EMPTY_CHAT = 'aaaaaaaa-0000-4000-8000-000000000002'
/** What VS Code kept for a folder that is not there any more. */
export const MOVED_CHAT = {
  id: 'aaaaaaaa-0000-4000-8000-000000000003',
  title: 'Names of the months in the footer',
  request: 'Write the names of the months in the footer',
}
