import type { ArchivedChat } from '../archive/archive.ts'
import type { Deps } from '../capabilities/capability.ts'

/** The archived chat that is meant by an id as in the contract, `current` included. */
export async function chatNamed(deps: Deps, reference: string): Promise<ArchivedChat> {
  const { archive } = deps
  if (reference !== 'current') return await archive.resolveChat(reference)
  const { openChat } = await import('../recall/current.ts')
  const { source, id } = (await openChat(deps, reference)).chat
  return await archive.resolveChat(`${source}:${id}`)
}
