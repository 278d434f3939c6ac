/** A copy of the database, of one day. */
export const BACKUP = /^backups\/app-\d{4}-\d{2}-\d{2}[^/]*\.db$/
