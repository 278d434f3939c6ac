/** What to do about a damaged archive. */
export const REPAIR =
  '`recollect repair` saves all that can be read, from the backups too; `recollect doctor --deep` says what is damaged.'
