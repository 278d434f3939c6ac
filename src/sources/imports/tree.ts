/** A message that knows which one it answers. */
export interface Twig {
  id: string
  parent?: string
  at?: number
}

export interface Placed<T extends Twig> {
  twig: T
  /** Grows along every branch, and is the same when the tree has grown since. */
  order: number
  /** On the branch that the person sees. */
  active: boolean
}

/** Finer than a millisecond, and still told apart in a date's number of milliseconds. */
const STEP = 1 / 1024

/**
 * Puts the messages of a tree in one line, as they came to be: by time, each after the one it
 * answers. One without a time stands behind all that its elder siblings led to. Those not between
 * `leaf` and the root were edited away or regenerated.
 */
export function placed<T extends Twig>(twigs: T[], leaf: string | undefined): Placed<T>[] {
  const { byId, children, roots } = grown(twigs)
  const path = new Set<string>()
  for (let id = leaf; id !== undefined && byId.has(id) && !path.has(id); id = byId.get(id)!.parent)
    path.add(id)
  const result: Placed<T>[] = []
  const orders = new Map<string, number>()
  let frontier = -STEP
  const walk = (root: T): void => {
    // The greatest order below each twig on the way from the root: an explicit stack, since trees may be deep.
    const stack: { twig: T; reach: number; next: number }[] = []
    const enter = (twig: T, parent: number | undefined, reach: number): void => {
      const order = twig.at === undefined ? reach + STEP : Math.max(twig.at, (parent ?? -Infinity) + STEP)
      orders.set(twig.id, order)
      result.push({ twig, order, active: path.has(twig.id) })
      stack.push({ twig, reach: order, next: 0 })
    }
    enter(root, undefined, frontier)
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const child = children.get(top.twig.id)?.[top.next++]
      if (!child) {
        stack.pop()
        const below = stack.at(-1)
        if (below) below.reach = Math.max(below.reach, top.reach)
        else frontier = Math.max(frontier, top.reach)
      } else if (!orders.has(child.id)) enter(child, orders.get(top.twig.id), top.reach)
    }
  }
  for (const root of roots) walk(root)
  // What is left hangs on a ring, to which no root leads.
  for (const twig of byId.values()) if (!orders.has(twig.id)) walk(onRing(twig, byId))
  return result.sort((a, b) => a.order - b.order)
}

/** The twig of the newest message. */
export function newest(twigs: Twig[]): string | undefined {
  let found: Twig | undefined
  for (const twig of twigs) if (!found || (twig.at ?? 0) >= (found.at ?? 0)) found = twig
  return found?.id
}

/** Where one gets to by taking the last branch at each fork. */
export function lastLeaf(twigs: Twig[]): string | undefined {
  const { children, roots } = grown(twigs)
  const seen = new Set<string>()
  let id = roots.at(-1)?.id
  while (id !== undefined && !seen.has(id)) {
    seen.add(id)
    const next = children.get(id)?.at(-1)?.id
    if (next === undefined) break
    id = next
  }
  return id
}

function onRing<T extends Twig>(from: T, byId: Map<string, T>): T {
  const seen = new Set<string>()
  let twig = from
  while (!seen.has(twig.id)) {
    seen.add(twig.id)
    twig = byId.get(twig.parent!)!
  }
  return twig
}

function grown<T extends Twig>(twigs: T[]) {
  const byId = new Map<string, T>()
  for (const twig of twigs) if (!byId.has(twig.id)) byId.set(twig.id, twig)
  const children = new Map<string, T[]>()
  const roots: T[] = []
  for (const twig of byId.values()) {
    if (twig.parent === undefined || twig.parent === twig.id || !byId.has(twig.parent)) roots.push(twig)
    else if (children.has(twig.parent)) children.get(twig.parent)!.push(twig)
    else children.set(twig.parent, [twig])
  }
  return { byId, children, roots }
}
