import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import { readInFront } from '../reader/open-readers.ts'

/**
 * The chats that a command is about: those it was given, by reference or from a menu; else the one that
 * the person reads; else what is picked in the view. Nothing where it is none of these.
 */
export function chosenChats(
  backend: Backend,
  dialogs: Dialogs,
  [given]: unknown[],
  several: boolean,
): readonly string[] {
  const named = references(given)
  if (named) return several ? named : named.slice(0, 1)
  const read = readInFront(backend)
  if (read !== undefined) return [read]
  return several ? dialogs.selection : dialogs.selection.slice(0, 1)
}

/** Nothing where none were named; a group of chats, or what we do not know, names none of them. */
function references(given: unknown): string[] | undefined {
  if (typeof given === 'string') return [given]
  if (Array.isArray(given)) return given.filter((each) => typeof each === 'string')
  if (given === undefined || given === null) return undefined
  // Of a menu: VS Code hands over what the page said of the row.
  const { reference, references: all, webviewSection } = Object(given)
  if (Array.isArray(all)) return references(all)
  if (typeof reference === 'string') return [reference]
  // A menu of the reader's tab names the tab.
  return webviewSection === undefined && 'scheme' in Object(given) ? undefined : []
}
