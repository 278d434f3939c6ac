import path from 'node:path'

/** A file that may hold chats, at a place where it can be read: its own, or a copy of an entry of a zip. */
export interface ImportFile {
  path: string
  /** Its name without folders. */
  name: string
  /** Where it came from, as people would write it: `/home/me/export.zip!/conversations.json`. */
  origin: string
  size: number
  mtime: number
  inode: number
}

export type Offered = ImportFile | { origin: string; problem: string; path?: undefined }

/** What is known of the whole while it is gone through: it may grow when a zip is opened. */
export interface Extent {
  files: number
  bytes: number
}

/**
 * Whether a file is worth looking into. Settings and accounts lie beside the chats of some exports,
 * with keys in them: those are not opened, not even to see what they are.
 */
export function mayHoldChats(file: string, asked = false): boolean {
  const name = path.basename(file).toLowerCase()
  if (AIDER.test(name)) return true
  if (name.startsWith('.') || file.split(/[\\/]/).includes('__MACOSX') || PRIVATE.has(name)) return false
  return asked || /\.(json|jsonl|zip|zst|db|vscdb)$/.test(name) || TEXTS.some((called) => called.test(name))
}

/** Texts that are told by what others call them, as there are too many to look into each. */
const TEXTS = [
  // SpecStory
  /^\d{4}-\d\d-\d\d_\d\d-\d\d.*\.md$/,
  // Cursor and Cline
  /^(cursor|cline|roo)[_-].*\.md$/,
  // Microsoft Copilot
  /copilot.*activity.*\.csv$/,
  // Google Takeout, in languages whose word for it is much the same
  /a[ck]ti(v|w)(i|id)[a-z]*.*\.html$/,
]

const AIDER = /aider.*history.*\.md$/

const PRIVATE = new Set([
  'providers.json',
  'config.json',
  'kv.json',
  'tools.json',
  'auth.json',
  'credentials.json',
  'settings.json',
  'user.json',
  'users.json',
  'prod-mc-auth-mgmt-api.json',
  'prod-mc-billing.json',
])
