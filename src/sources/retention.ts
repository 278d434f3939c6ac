import { smallText } from '../platform/small-text.ts'

/** How long an assistant keeps its chats before it deletes them. */
export interface Retention {
  days: number
  /** The setting that says so, and the file where it is or would be. */
  setting: string
  file: string
  /** Only what is below it goes; all without one. */
  folder?: string
  /** Set there, and not only by default. */
  isSet: boolean
}

const LARGEST_SETTINGS = 10_000_000

/** A settings file as an object; nothing where it is missing or cannot be read. Comments are allowed in some. */
export function settingsIn(file: string): Record<string, unknown> {
  try {
    const text = smallText(file, LARGEST_SETTINGS)?.replace(/^\ufeff/, '') ?? ''
    const value: unknown = JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
