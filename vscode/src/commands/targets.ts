import type { Dialogs } from '../api.ts'
import type { Desk } from '../desk.ts'
import { type Node, referenceOf } from '../dialogs/nodes.ts'
import { pickDialog } from './search.ts'

/**
 * The dialogs that a command is about: those it was given, by reference or from the view; those that
 * are picked in the view; else the person is asked.
 */
export async function chosenDialogs(
  desk: Desk,
  dialogs: Dialogs,
  [given, selected]: unknown[],
  several: boolean,
): Promise<string[]> {
  if (typeof given === 'string') return [given]
  if (Array.isArray(given)) return given.filter((each) => typeof each === 'string')
  const nodes = several && Array.isArray(selected) && selected.length > 0 ? selected : [given]
  const named = references(nodes)
  if (named.length > 0) return named
  const picked = references([...dialogs.selection])
  if (picked.length > 0) return several ? picked : picked.slice(0, 1)
  const found = await pickDialog(desk)
  return found ? [found.reference] : []
}

function references(nodes: unknown[]): string[] {
  return nodes.filter(isNode).flatMap((node) => (node.kind === 'chat' ? [referenceOf(node.chat)] : []))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value
}
